import * as z from 'zod';
import { createApiKey, type NewApiKey } from '../../accounts/users/manage-api-keys.ts';
import { dayMs } from '../../base/durations.ts';
import { apiKeyPaths, browserPaths, guidePath } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { serviceOrigin } from '../../base/settings.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import {
  fieldIssue,
  formLine,
  oneOf,
  sentText,
  sentValues,
  ticked,
} from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/received-form.ts';
import {
  findChoiceFault,
  ScopeChoice,
  scopeChoiceFields,
  scopesOfChoice,
  SetChoice,
  shownChoice,
} from '../../web/forms/scope-choice.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';

/**
 * The two parts of a new key, `User-Token` and `User-Secret-Key`, on their way to the page that
 * shows them.
 */
const createdKey = new ShownOnce<{ token: string; secret: string }>('made-key', 'created-api-key');

/** The lifetimes of a key in days; null for no end. */
const expiries = { 30: 30, 90: 90, 365: 365, never: null } as const;

/** The values of the form, in its order. */
const expiryValues = ['30', '90', '365', 'never'] as const;

const maxNameLength = 80;

/** `/account/keys/new`: creates an API key, which the next page shows once. */
export const apiKeyForm = userForm({
  path: apiKeyPaths.create,
  role: 'user',
  proof: true,
  limit: 'keys',
  part: 'keys',
  fields: apiKeyFields,
  view({ messages, language, settings, c, session: { stores, user } }) {
    const { apiKeys: t, account } = messages;
    const origin = serviceOrigin(settings, c.req.url);
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
            <ScopeChoice
              {...{ messages, onlyReads, error }}
              shown={shownChoice(sent)}
              texts={{
                label: t.powers,
                hint: onlyReads ? t.onlyReads : t.powersHint,
                presets: t.presets,
              }}
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
      beside: {
        title: messages.partnerTools.testStores.call,
        content: (
          <>
            <p>{t.useLead}</p>
            <CopyableCode
              {...{ language }}
              label="curl"
              value={[
                `curl -X POST ${origin}/v2/auth/me`,
                "-H 'User-Token: …'",
                "-H 'User-Secret-Key: sk_…'",
              ].join(' \\\n  ')}
            />
            <a class="target" href={guidePath(language, 'first-call')}>
              {t.firstCall}
            </a>
          </>
        ),
      },
      scripts: [copyButtonScript],
    };
  },
  async submit(page, key) {
    const created = await createApiKey(page.action, key);
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
  return z
    .object({
      name: formLine(maxNameLength, { missing: t.nameMissing, long: t.nameLong }),
      stores: sentText,
      store_ids: sentValues,
      ...scopeChoiceFields,
      expiry: oneOf(expiryValues, t.expiryMissing),
      for_operator: ticked,
    })
    .check(({ value: { store_ids: storeIds, ...form }, issues }) => {
      const errors: ('powersBoth' | 'powersNone' | 'storesBoth' | 'storesNone')[] = [
        findStoresFault(form.stores, storeIds),
        findChoiceFault(form),
      ].filter((fault) => fault !== undefined);
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
        scopes: scopesOfChoice(form),
        storeIds: form.stores === 'all' ? null : ownStores(storeIds).map(({ id }) => id),
        isForOperator: isForOperator && user.isOperator,
        expiresAt: days === null ? null : now + days * dayMs,
      };
    });
}

/** Returns the fault of the choice of stores: all and some together, or none. */
function findStoresFault(
  sent: string,
  ids: readonly string[],
): 'storesBoth' | 'storesNone' | undefined {
  if (sent === 'all') return ids.length > 0 ? 'storesBoth' : undefined;
  return sent === 'chosen' && ids.length > 0 ? undefined : 'storesNone';
}

/**
 * `GET /account/keys/made`: shows the two parts of the key that was just created. A reload no
 * longer shows them.
 */
export async function showCreatedApiKey(page: SignedInPage) {
  const apiKey = await createdKey.take(page);
  const { language, messages } = page;
  const t = messages.account.keys;
  const title = apiKey ? t.createdTitle : t.alreadyShown;
  const scripts = apiKey ? [copyButtonScript] : [];
  return (
    <DashboardLayout {...page.dashboard('keys', null)} {...{ title, scripts }}>
      <h1>{title}</h1>
      {apiKey ? (
        <>
          <p>{t.createdLead}</p>
          <p class="notice danger">{t.danger}</p>
          {(['token', 'secret'] as const).map((part) => (
            <CopyableCode {...{ language }} label={t[part]} value={apiKey[part]} />
          ))}
        </>
      ) : (
        <p>{t.alreadyShownLead}</p>
      )}
      <p class="actions">
        <a class="button" href={browserPaths.keys}>
          {apiKey ? t.saved : t.back}
        </a>
      </p>
    </DashboardLayout>
  );
}

/** All stores, or those that are ticked. */
const StoreChoice = ({
  messages: { apiKeys: t },
  stores,
  chosen,
  ...field
}: {
  messages: Messages;
  /** `all`, or `chosen` below. */
  value: string;
  error: string | undefined;
  stores: readonly { id: number; name: string; alias: string }[];
  chosen: readonly string[];
}) => (
  <SetChoice
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
  </SetChoice>
);
