import type { Child } from 'hono/jsx';
import * as z from 'zod';
import { createApiKey, type NewApiKey } from '../../accounts/users/manage-api-keys.ts';
import { dayMs } from '../../base/durations.ts';
import { apiKeyPaths, browserPaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { scopeAreas, scopesToBits, type Scope } from '../../data/grants/scopes.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { Group } from '../../web/components/choice-fields.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import {
  fieldIssue,
  formLine,
  oneOf,
  sentText,
  sentValues,
  ticked,
} from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/shown-once.ts';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

/** The two parts of a new key, `User-Token` and `User-Secret-Key`, on their way to the page that shows them. */
const createdKey = new ShownOnce<{ token: string; secret: string }>('made-key', 'created-api-key');

/** The lifetimes of a key in days; null for no end. */
const expiries = { 30: 30, 90: 90, 365: 365, never: null } as const;

/** The values of the form, in its order. */
const expiryValues = ['30', '90', '365', 'never'] as const;

/** The presets of what a key may do, least power first; null for everything. Prices belong to the catalogue. */
const presets = {
  read: scopeAreas.map((area): Scope => `${area}.read`),
  stock: ['catalog.write', 'inventory.write'],
  orders: ['catalog.read', 'inventory.read', 'customers.read', 'orders.write', 'invoices.write'],
  all: null,
} as const satisfies Record<string, readonly Scope[] | null>;

type Preset = keyof typeof presets;

const isPreset = (value: string): value is Preset => Object.hasOwn(presets, value);

const maxNameLength = 80;

/** `/account/keys/new`: creates an API key, which the next page shows once. */
export const apiKeyForm = userForm({
  path: apiKeyPaths.create,
  role: 'user',
  proof: true,
  limit: 'keys',
  part: 'keys',
  fields: apiKeyFields,
  view({ messages, session: { stores, user } }) {
    const { apiKeys: t, account } = messages;
    const onlyReads = stores.length > 0 && stores.every(({ role }) => role === Role.viewer);
    return {
      title: account.keys.create,
      fields: [
        { name: 'name', label: account.keys.name, hint: account.keys.nameHint, type: 'text' },
        {
          name: 'stores',
          type: 'own',
          content: (error, sent) => (
            <StoreChoice
              {...{ messages, stores, error }}
              value={sent ? (sent.get('stores') ?? '') : 'all'}
              chosen={sent?.getAll('store_ids') ?? []}
            />
          ),
        },
        {
          name: 'powers',
          type: 'own',
          content: (error, sent) => (
            <PowerChoice
              {...{ messages, onlyReads, error }}
              value={sent ? (sent.get('powers') ?? '') : 'read'}
              areas={scopeAreas.map((area) => ({
                area,
                chosen: sent?.get(`area_${area}`) ?? 'none',
              }))}
            />
          ),
        },
        {
          name: 'expiry',
          label: t.expiry,
          type: 'radio',
          options: expiryValues.map((value) => ({ value, text: t.expiries[value] })),
          value: '365',
        },
        ...(user.isOperator
          ? [
              {
                name: 'for_operator',
                label: t.operators,
                type: 'checkboxes' as const,
                options: [{ value: 'yes', text: t.forOperators }],
              },
            ]
          : []),
      ],
      submit: account.keys.create,
      back: browserPaths.keys,
    };
  },
  async submit(page, key) {
    const created = await createApiKey(page.action, key, page.language);
    if (!created) return { errors: [{ text: page.messages.apiKeys.errors.tooMany }] };
    await createdKey.stash(page, created);
    return page.redirect(apiKeyPaths.created);
  },
});

/** Checks the form by the rules of a new key, and turns it into one. */
function apiKeyFields(
  { apiKeys: { errors: t } }: SignedInPage['messages'],
  { session: { stores, user }, now }: SignedInPage,
): z.ZodType<NewApiKey> {
  const ownStores = (ids: readonly string[]) => stores.filter(({ id }) => ids.includes(String(id)));
  const areaFields = Object.fromEntries(scopeAreas.map((area) => [`area_${area}`, sentText]));
  return z
    .object({
      name: formLine(maxNameLength, { missing: t.nameMissing, long: t.nameLong }),
      stores: sentText,
      store_ids: sentValues,
      powers: sentText,
      expiry: oneOf(expiryValues, t.expiryMissing),
      for_operator: ticked,
      ...areaFields,
    })
    .check(({ value: { store_ids: storeIds, ...form }, issues }) => {
      const errors = [
        ...checkChoice('stores', form.stores === 'all', form.stores, storeIds.length > 0),
        ...checkChoice('powers', isPreset(form.powers), form.powers, chosenScopes(form).size > 0),
      ];
      // A store that the user has left meanwhile must cause an error, not be skipped silently.
      const isComplete = ownStores(storeIds).length === storeIds.length;
      if (issues.length === 0 && errors.length === 0 && !isComplete) errors.push('storesNone');
      for (const error of errors) {
        issues.push(fieldIssue('', t[error], error.startsWith('stores') ? 'stores' : 'powers'));
      }
    })
    .transform(({ store_ids: storeIds, for_operator: isForOperator, ...form }) => {
      const days = expiries[form.expiry];
      return {
        userId: user.id,
        name: form.name,
        scopes: keyScopes(form),
        storeIds: form.stores === 'all' ? null : ownStores(storeIds).map(({ id }) => id),
        isForOperator: isForOperator && user.isOperator,
        expiresAt: days === null ? null : now + days * dayMs,
      };
    });
}

/** The stored scopes of a checked form; null for everything. */
function keyScopes(form: Readonly<Record<string, unknown>> & { powers: string }): number | null {
  if (!isPreset(form.powers)) return scopesToBits(chosenScopes(form));
  const preset = presets[form.powers];
  return preset && scopesToBits(new Set<Scope>(preset));
}

/** The scopes of the chosen powers, by area. */
const chosenScopes = (form: Readonly<Record<string, unknown>>): Set<Scope> =>
  new Set(
    scopeAreas.flatMap((area): Scope[] => {
      const power = (['read', 'write'] as const).find((one) => one === form[`area_${area}`]);
      return power ? [`${area}.${power}`] : [];
    }),
  );

/** Refuses a preset together with a choice: they contradict each other, and no ticked value may be ignored. */
function checkChoice<Field extends 'stores' | 'powers'>(
  field: Field,
  isWhole: boolean,
  sent: string,
  isChosen: boolean,
): `${Field}${'Both' | 'None'}`[] {
  if (isWhole) return isChosen ? [`${field}Both`] : [];
  return sent === 'chosen' && isChosen ? [] : [`${field}None`];
}

/** `GET /account/keys/made`: shows the key that was just created. A reload no longer shows it. */
export async function showCreatedApiKey(page: SignedInPage) {
  const apiKey = await createdKey.take(page);
  return (
    <ApiKeyCreatedPage
      {...{ apiKey }}
      dashboard={page.dashboard('keys', null)}
      keysHref={browserPaths.keys}
    />
  );
}

type AreaName = keyof Messages['scopes']['areas'];
type AreaPower = keyof Messages['apiKeys']['areaPowers'];

interface ChoiceProps {
  messages: Messages;
  /** A preset such as `all`, or `chosen` below. */
  value: string;
  error: string | undefined;
}

/** All stores, or those that are ticked. */
const StoreChoice = ({
  messages: { apiKeys: t },
  stores,
  chosen,
  ...field
}: ChoiceProps & {
  stores: readonly { id: number; name: string; alias: string }[];
  chosen: readonly string[];
}) => (
  <Choice
    {...field}
    name="stores"
    label={t.stores}
    options={{ all: t.allStores, chosen: t.chosenStores }}
  >
    {stores.map(({ id, name, alias }) => (
      <label class="check">
        <input
          type="checkbox"
          name="store_ids"
          value={String(id)}
          checked={chosen.includes(String(id))}
        />
        <span>
          <bdi>{name}</bdi> <code>{alias}</code>
        </span>
      </label>
    ))}
  </Choice>
);

/** A preset, or a choice for each area. A user who only reads is offered no preset that changes something. */
const PowerChoice = ({
  messages: { apiKeys: t, scopes },
  areas,
  onlyReads,
  ...field
}: ChoiceProps & {
  areas: readonly { area: AreaName; chosen: string }[];
  /** Whether the user is a viewer wherever they are a member, so that a key only reads. */
  onlyReads: boolean;
}) => {
  const powers: readonly AreaPower[] = onlyReads ? ['none', 'read'] : ['none', 'read', 'write'];
  return (
    <Choice
      {...field}
      name="powers"
      label={t.powers}
      hint={onlyReads ? t.onlyReads : t.powersHint}
      options={
        onlyReads
          ? { read: t.presets.read, chosen: t.chosenPowers }
          : { ...t.presets, chosen: t.chosenPowers }
      }
    >
      {areas.map(({ area, chosen }) => (
        <div class="area">
          <label for={`area_${area}`}>{scopes.areas[area]}</label>
          <select id={`area_${area}`} name={`area_${area}`}>
            {powers.map((power) => (
              <option value={power} selected={power === chosen}>
                {t.areaPowers[power]}
              </option>
            ))}
          </select>
        </div>
      ))}
    </Choice>
  );
};

/** One of the presets, or what is chosen below. */
const Choice = ({
  value,
  options,
  children,
  ...field
}: {
  name: string;
  label: string;
  hint?: string;
  value: string;
  options: Readonly<Record<string, string>>;
  error: string | undefined;
  children?: Child;
}) => (
  <Group {...field}>
    {Object.entries(options).map(([choice, text]) => (
      <label class="check">
        <input type="radio" name={field.name} value={choice} checked={value === choice} />
        <span>{text}</span>
      </label>
    ))}
    <div class="chosen">{children}</div>
  </Group>
);

interface ApiKeyCreatedPageProps {
  dashboard: DashboardProps;
  /** `undefined` if it was already shown. */
  apiKey: { token: string; secret: string } | undefined;
  keysHref: string;
}

/** Shows the two parts of a new API key, only once. */
const ApiKeyCreatedPage = ({ dashboard, apiKey, keysHref }: ApiKeyCreatedPageProps) => {
  const t = messagesFor(dashboard.layout.language).account.keys;
  const title = apiKey ? t.createdTitle : t.alreadyShown;
  return (
    <DashboardLayout {...dashboard} title={title} scripts={apiKey ? [copyButtonScript] : []}>
      <h1>{title}</h1>
      {apiKey ? (
        <>
          <p>{t.createdLead}</p>
          <p class="notice danger">{t.danger}</p>
          {(['token', 'secret'] as const).map((part) => (
            <figure
              class="code measure"
              data-copy={t.copy}
              data-copied={t.copied}
              data-not-copied={t.notCopied}
            >
              <figcaption>{t[part]}</figcaption>
              <pre>
                <code>{apiKey[part]}</code>
              </pre>
            </figure>
          ))}
        </>
      ) : (
        <p>{t.alreadyShownLead}</p>
      )}
      <p class="actions">
        <a class="button" href={keysHref}>
          {apiKey ? t.saved : t.back}
        </a>
      </p>
    </DashboardLayout>
  );
};
