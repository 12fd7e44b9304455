import * as z from 'zod';
import { daySeconds } from '../../base/durations.ts';
import { HttpError, TooManyTestStores } from '../../base/errors.ts';
import { apiKeyPaths, guidePath, storePaths, testStorePaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { serviceOrigin } from '../../base/settings.ts';
import { maxAdvanceSeconds } from '../../data/queries/test-clock.ts';
import { maxTestStores } from '../../stores/insert-store.ts';
import {
  advanceTestStore,
  createPartnerTestStore,
  deleteTestStore,
  listTestStores,
  requireTestStore,
  resetTestStore,
  type ListedTestStore,
} from '../../stores/test-stores/manage-test-stores.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormProps,
} from '../../web/components/form-fields.tsx';
import { Interpolate, UntrustedName, FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { fieldIssue, formLine, sentText } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { aliasView, typedAlias } from '../stores/store-actions.tsx';

const ofTestStores = { role: 'partner', limit: 'pages', part: 'partners/testStores' } as const;

/** The name of the state of a test store on a page. */
const stateOf = ({ active, lastFill }: ListedTestStore) => {
  if (!active) return 'deleted';
  if (lastFill === 'waiting' || lastFill === 'running') return 'filling';
  return lastFill === 'failed' ? 'failed' : 'ready';
};

/** `GET /partners/test-stores`: the user's test stores. */
export async function showTestStores(page: SignedInPage) {
  const stores = await listTestStores(page.directory, page.user.id);
  const { language, messages } = page;
  const { testStores: t, links } = messages.partnerTools;
  return (
    <DashboardLayout {...page.dashboard('partners/testStores')} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={page.done(['deleted']) && t.flash.deleted} />
      <p>
        {t.lead.replace('{count}', String(maxTestStores))}{' '}
        <a href={guidePath(language, 'test-stores')}>{links.guide}</a>
      </p>
      {stores.length === 0 && <EmptyState text={t.none} />}
      {stores.length < maxTestStores && (
        <p class="actions">
          <a class="button" href={testStorePaths.make}>
            {t.make}
          </a>
        </p>
      )}
      {stores.length > 0 && (
        <DataTable
          caption={t.caption}
          rows={stores}
          columns={[
            {
              label: t.columns.store,
              cell: ({ active, alias, name }) =>
                active ? (
                  <a href={testStorePaths.store(alias)}>
                    <UntrustedName {...{ name }} />
                  </a>
                ) : (
                  <UntrustedName {...{ name }} />
                ),
            },
            { label: t.columns.alias, cell: ({ alias }) => <code>{alias}</code> },
            {
              label: t.columns.state,
              cell: (store) => <TestStoreBadge {...{ store, messages }} />,
            },
          ]}
        />
      )}
    </DashboardLayout>
  );
}

const maxNameLength = 80;

/** `/partners/test-stores/new`: creates a test store and leads to it. */
export const testStoreForm = userForm({
  ...ofTestStores,
  path: testStorePaths.make,
  fields: ({ partnerTools: { testStores: t } }) =>
    z.object({ name: formLine(maxNameLength, { missing: t.nameMissing, long: t.nameLong }) }),
  view({ messages }) {
    const t = messages.partnerTools.testStores;
    return {
      title: t.make,
      paragraphs: [t.makeLead],
      fields: [{ name: 'name', label: t.name, hint: t.nameHint, type: 'text' }],
      submit: t.make,
      back: testStorePaths.list,
      isWide: true,
    };
  },
  async submit(page, { name }) {
    const t = page.messages.partnerTools.testStores;
    try {
      const { alias } = await createPartnerTestStore(page.action, name);
      return page.redirect(`${testStorePaths.store(alias)}?done=made`);
    } catch (error) {
      if (error instanceof TooManyTestStores) {
        return { errors: [{ text: t.tooMany.replace('{count}', String(maxTestStores)) }] };
      }
      if (error instanceof HttpError && error.code === 'no_room') {
        return { errors: [{ text: t.noRoom }] };
      }
      throw error;
    }
  },
});

/** The steps of the buttons, in seconds. */
const steps = { hour: daySeconds / 24, day: daySeconds, week: 7 * daySeconds } as const;

const flashes = ['made', 'reset', 'advanced'] as const;

/**
 * Forms of one test store, whose owner sends them: a demand of a second factor holds for them as on
 * its other pages.
 */
const ofOwnTestStore = { ...ofTestStores, role: Role.owner } as const;

/** Loads the test store of the path. Throws 404 unless the user owns it and it is active. */
const loadStore = (page: SignedInPage): Promise<ListedTestStore> =>
  requireTestStore(page.action, page.param('alias'));

/** `/partners/test-stores/{alias}`: a test store; the form advances its clock. */
export const clockForm = userForm({
  ...ofOwnTestStore,
  path: testStorePaths.store(':alias'),
  load: loadStore,
  fields: ({ partnerTools: { clock: t } }) =>
    z
      .object({ seconds: sentText, minutes: sentText })
      .transform(({ seconds, minutes }, { issues }) => {
        const chosen = Object.values(steps).find((step) => String(step) === seconds);
        const typed = /^\d{1,6}$/.exec(minutes.trim())?.[0] ?? '0';
        const wanted = chosen ?? Number(typed) * 60;
        if (wanted < 1 || wanted > maxAdvanceSeconds) {
          issues.push(fieldIssue(minutes, t.minutesWrong, 'minutes'));
        }
        return wanted;
      }),
  render: (page, store, form) => <TestStorePage {...{ page, store, form }} />,
  async submit(page, seconds) {
    const store = await loadStore(page);
    const moved = await advanceTestStore(page.action, store, seconds).catch(readRefusal);
    if ('code' in moved) {
      const { clock: t } = page.messages.partnerTools;
      const isTooSoon = moved.code === 'rate_limited';
      const errors = [{ text: isTooSoon ? t.tooSoon : t.tooMany, field: 'minutes' }];
      return { errors, status: isTooSoon ? 429 : 409, headers: moved.headers };
    }
    const query = new URLSearchParams({
      done: 'advanced',
      carts: String(moved.carts),
      payments: String(moved.transactions),
      webhooks: String(moved.webhooks),
    });
    return page.redirect(`${testStorePaths.store(store.alias)}?${query.toString()}`);
  },
});

/** Returns the error of a clock that does not advance now. Throws any other. */
function readRefusal(error: unknown): HttpError {
  const isRefusal =
    error instanceof HttpError &&
    (error.code === 'rate_limited' || error.code === 'test_store_full');
  if (!isRefusal) throw error;
  return error;
}

const countOf = (page: SignedInPage, name: string) =>
  Number(/^\d{1,7}$/.exec(page.query(name) ?? '')?.[0] ?? 0);

/** Asks before a test store is reset or deleted, and names the consequences. */
function askAbout(
  { messages }: SignedInPage,
  { name, alias }: ListedTestStore,
  action: 'reset' | 'remove',
) {
  const { testStores: t } = messages.partnerTools;
  const parts = { store: <UntrustedName name={name} /> };
  return {
    question: <Interpolate text={t[`${action}Question`]} parts={parts} />,
    paragraphs: action === 'reset' ? [t.resetLead, t.resetEvents] : [t.removeLead],
    submit: t[action],
    back: testStorePaths.store(alias),
  };
}

/**
 * `/partners/test-stores/{alias}/reset`: empties the store and fills it again, in the background.
 */
export const testStoreResetForm = confirmation({
  ...ofOwnTestStore,
  path: testStorePaths.reset(':alias'),
  load: loadStore,
  ask: (page, store) => askAbout(page, store, 'reset'),
  async submit(page) {
    const store = await loadStore(page);
    await resetTestStore(page.action, store);
    return page.redirect(`${testStorePaths.store(store.alias)}?done=reset`);
  },
});

/**
 * `/partners/test-stores/{alias}/delete`: closes the store at once; its data go in the background.
 */
export const testStoreRemovalForm = confirmation({
  ...ofOwnTestStore,
  proof: true,
  path: testStorePaths.remove(':alias'),
  load: loadStore,
  fields: typedAlias,
  ask: (page, store) => ({ ...askAbout(page, store, 'remove'), fields: [aliasView(page)] }),
  async submit(page) {
    await deleteTestStore(page.action, await loadStore(page));
    return page.redirect(`${testStorePaths.list}?done=deleted`);
  },
});

/** One test store: its first call, its clock, and how to reset or delete it. */
const TestStorePage = ({
  page,
  store,
  form,
}: {
  page: SignedInPage;
  store: ListedTestStore;
  form: FormProps;
}) => {
  const { language, messages } = page;
  const { testStores: t, clock, links } = messages.partnerTools;
  const { name, alias } = store;
  const state = stateOf(store);
  const origin = serviceOrigin(page.settings, page.c.req.url);
  const call = [
    `curl '${origin}/v2/${alias}/catalog/products'`,
    "-H 'User-Token: ...'",
    "-H 'User-Secret-Key: ...'",
  ].join(' \\\n  ');
  return (
    <DashboardLayout
      {...page.dashboard('partners/testStores')}
      title={name}
      scripts={[copyButtonScript]}
    >
      <h1>
        <UntrustedName {...{ name }} />
      </h1>
      {form.errors.length > 0 && (
        <ErrorSummary title={messages.errorSummary} errors={form.errors} />
      )}
      <FlashMessage text={form.sent ? undefined : flashText(page)} />
      <dl class="facts">
        <dt>{t.columns.alias}</dt>
        <dd>
          <code>{alias}</code>
        </dd>
        <dt>{t.columns.state}</dt>
        <dd>
          <TestStoreBadge {...{ store, messages }} /> {state === 'filling' && t.fillingHint}
          {state === 'failed' && t.failedHint}
        </dd>
      </dl>
      <p class="actions">
        <a class="button plain" href={storePaths.details(alias)}>
          {t.account}
        </a>
        <a class="button plain" href={guidePath(language, 'test-stores')}>
          {links.guide}
        </a>
      </p>
      <CopyableCode language={language} label={t.call} value={call} />
      <p class="actions">
        <a class="button plain" href={apiKeyPaths.create}>
          {messages.account.keys.create}
        </a>
      </p>
      <h2>{clock.title}</h2>
      <p>{clock.lead}</p>
      <ul>
        {Object.values(clock.effects).map((effect) => (
          <li>{effect}</li>
        ))}
      </ul>
      <p>{clock.limits}</p>
      <p id="advance-by">{clock.legend}</p>
      <form method="post" action={form.action} class="actions" aria-labelledby="advance-by">
        <FormTokenInput formToken={form.formToken} />
        {(['hour', 'day', 'week'] as const).map((step) => (
          <button class="plain" name="seconds" value={String(steps[step])}>
            {clock[step]}
          </button>
        ))}
      </form>
      <form method="post" action={form.action} novalidate>
        <FormTokenInput formToken={form.formToken} />
        <TextField
          name="minutes"
          label={clock.minutes}
          hint={clock.minutesHint}
          type="text"
          value={form.sent?.get('minutes') ?? ''}
          autocomplete="off"
          error={form.errors[0]?.text}
        />
        <div class="actions">
          <button>{clock.submit}</button>
        </div>
      </form>
      <h2>{t.startOver}</h2>
      <p class="actions">
        <a class="button plain" href={testStorePaths.reset(alias)}>
          {t.reset}
        </a>
        <a class="button danger" href={testStorePaths.remove(alias)}>
          {t.remove}
        </a>
      </p>
    </DashboardLayout>
  );
};

/** The outcome of the form, with the effects of an advance of the clock. */
function flashText(page: SignedInPage): string | undefined {
  const { testStores, clock } = page.messages.partnerTools;
  const flash = page.done(flashes);
  const text = flash && testStores.flash[flash];
  if (flash !== 'advanced') return text;
  const counts = {
    carts: countOf(page, 'carts'),
    transactions: countOf(page, 'payments'),
    webhooks: countOf(page, 'webhooks'),
  };
  const result = clock.result.replaceAll(/\{(carts|transactions|webhooks)\}/g, (_, name: string) =>
    // The pattern names the keys.
    counts[name as keyof typeof counts].toLocaleString(page.language),
  );
  return `${text} ${result}`;
}

const tones: Readonly<Record<ReturnType<typeof stateOf>, Tone>> = {
  ready: 'good',
  filling: 'neutral',
  failed: 'warn',
  deleted: 'danger',
};

const TestStoreBadge = ({ store, messages }: { store: ListedTestStore; messages: Messages }) => {
  const state = stateOf(store);
  return <StateBadge tone={tones[state]} text={messages.partnerTools.testStores.states[state]} />;
};
