import { scopeAreas, scopesToBits, type Scope, type ScopeArea } from '../../access/scopes.ts';
import { cleanFormLine } from '../../codecs/fields/normalize-text.ts';
import type { NewApiKeyError } from '../../pages/account/new-api-key-page.tsx';
import type { NewApiKey } from '../../people/keys/create-key.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';

/** What a key may do in an area. */
const areaPowers = ['none', 'read', 'write'] as const;

type AreaPower = (typeof areaPowers)[number];

/** How long a key lives, in days; null for no end. */
const expiries = { 30: 30, 90: 90, 365: 365, never: null } as const;

/** The fields of the form as they were submitted. */
export interface ApiKeyForm {
  name: string;
  stores: string;
  storeIds: readonly string[];
  powers: string;
  areas: Readonly<Record<ScopeArea, AreaPower>>;
  expiry: string;
  isForOperator: boolean;
}

const everyArea = (powerOf: (area: ScopeArea) => AreaPower) =>
  // `fromEntries` loses the names.
  Object.fromEntries(scopeAreas.map((area) => [area, powerOf(area)])) as Record<
    ScopeArea,
    AreaPower
  >;

/** The form before anybody has filled it in. */
export const emptyApiKeyForm: ApiKeyForm = {
  name: '',
  stores: 'all',
  storeIds: [],
  powers: 'all',
  areas: everyArea(() => 'none'),
  expiry: '365',
  isForOperator: false,
};

export const readApiKeyForm = (form: URLSearchParams): ApiKeyForm => ({
  name: form.get('name') ?? '',
  stores: form.get('stores') ?? '',
  storeIds: form.getAll('store_ids'),
  powers: form.get('powers') ?? '',
  areas: everyArea(
    (area) => areaPowers.find((power) => power === form.get(`area_${area}`)) ?? 'none',
  ),
  expiry: form.get('expiry') ?? '',
  isForOperator: form.get('for_operator') === 'yes',
});

const maxNameLength = 80;
const dayMs = 86_400_000;

/** Checks the form: returns what the key may do, or every error. */
export function checkApiKeyForm(
  form: ApiKeyForm,
  { session, now }: PageContext,
): { key: NewApiKey } | { errors: NewApiKeyError[] } {
  const name = cleanFormLine(form.name, maxNameLength);
  const isChoice = { stores: form.storeIds.length > 0, powers: chosenScopes(form).size > 0 };
  const errors: NewApiKeyError[] = [
    ...(name === '' ? ['nameMissing' as const] : []),
    ...(name === undefined ? ['nameLong' as const] : []),
    ...checkChoice('stores', form.stores, isChoice.stores),
    ...checkChoice('powers', form.powers, isChoice.powers),
    ...(form.expiry in expiries ? [] : ['expiryMissing' as const]),
  ];
  const own = session.stores.filter(({ id }) => form.storeIds.includes(String(id)));
  // A store that the user has left meanwhile must not be missing in silence.
  if (errors.length === 0 && own.length < form.storeIds.length) errors.push('storesNone');
  if (errors.length > 0 || !name) return { errors };
  // Checked above.
  const days = expiries[form.expiry as keyof typeof expiries];
  return {
    key: {
      userId: session.user.id,
      name,
      scopes: form.powers === 'all' ? null : scopesToBits(chosenScopes(form)),
      storeIds: form.stores === 'all' ? null : own.map(({ id }) => id),
      isForOperator: form.isForOperator && session.user.isOperator,
      expiresAt: days === null ? null : now + days * dayMs,
    },
  };
}

const chosenScopes = ({ areas }: ApiKeyForm): Set<Scope> =>
  new Set(
    scopeAreas.flatMap((area): Scope[] => {
      const power = areas[area];
      return power === 'none' ? [] : [`${area}.${power}`];
    }),
  );

/** Everything and a choice contradict each other; so nothing that was ticked is passed over. */
function checkChoice(
  field: 'stores' | 'powers',
  sent: string,
  isChosen: boolean,
): NewApiKeyError[] {
  if (sent === 'all') return isChosen ? [`${field}Both`] : [];
  return sent === 'chosen' && isChosen ? [] : [`${field}None`];
}
