import * as z from 'zod';
import {
  advanceTestStore,
  createPartnerTestStore,
  deleteTestStore,
  listTestStores,
  requireTestStore,
  resetTestStore,
  type ListedTestStore,
} from '../../accounts/partners/manage-test-stores.ts';
import { maxTestStores } from '../../accounts/stores/insert-store.ts';
import { daySeconds } from '../../base/durations.ts';
import { HttpError, TooManyTestStores } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { apiKeyPaths, guidePath, storePaths, testStorePaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { serviceOrigin } from '../../base/settings.ts';
import { maxAdvanceSeconds } from '../../data/queries/test-clock.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
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
import { messagesFor } from '../../web/texts/messages.ts';
import { aliasView, typedAlias } from '../stores/store-actions.tsx';

const ofTestStores = { role: 'partner', limit: 'pages', part: 'partners/testStores' } as const;

/** The name of the state of an active test store on a page. */
const stateOfContents = ({ lastFill }: Pick<ListedTestStore, 'lastFill'>) => {
  if (lastFill === 'waiting' || lastFill === 'running') return 'filling';
  return lastFill === 'failed' ? 'failed' : 'ready';
};

/** `GET /partners/test-stores`: the user's test stores. */
export async function showTestStores(page: SignedInPage) {
  const stores = await listTestStores(page.directory, page.user.id);
  return (
    <TestStoresPage
      dashboard={page.dashboard('partners/testStores')}
      stores={stores.map((store) => ({
        name: store.name,
        alias: store.alias,
        state: store.active ? stateOfContents(store) : 'deleted',
        ...(store.active && { href: testStorePaths.store(store.alias) }),
      }))}
      max={maxTestStores}
      makeHref={testStorePaths.make}
      guideHref={guidePath(page.language, 'test-stores')}
      flash={page.done(['deleted'])}
    />
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

/** Forms of one test store, whose owner sends them: a demand of a second factor holds for them as on its other pages. */
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
  render(page, store, form) {
    const { alias, name } = store;
    const origin = serviceOrigin(page.settings, page.c.req.url);
    const flash = form.sent ? undefined : page.done(flashes);
    return (
      <TestStorePage
        {...{ form, flash, steps }}
        dashboard={page.dashboard('partners/testStores')}
        store={{ name, alias, state: stateOfContents(store) }}
        call={[
          `curl '${origin}/v2/${alias}/catalog/products'`,
          "-H 'User-Token: ...'",
          "-H 'User-Secret-Key: ...'",
        ].join(' \\\n  ')}
        resetHref={testStorePaths.reset(alias)}
        removeHref={testStorePaths.remove(alias)}
        accountHref={storePaths.details(alias)}
        newKeyHref={apiKeyPaths.create}
        guideHref={guidePath(page.language, 'test-stores')}
        result={
          flash === 'advanced'
            ? {
                carts: countOf(page, 'carts'),
                transactions: countOf(page, 'payments'),
                webhooks: countOf(page, 'webhooks'),
              }
            : undefined
        }
      />
    );
  },
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

/** `/partners/test-stores/{alias}/reset`: empties the store and fills it again, in the background. */
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

/** `/partners/test-stores/{alias}/delete`: closes the store at once; its data go in the background. */
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

/** The effects of an advance of the clock. */
interface ClockResult {
  carts: number;
  transactions: number;
  webhooks: number;
}

interface TestStorePageProps {
  dashboard: DashboardProps;
  store: { name: string; alias: string; state: 'ready' | 'filling' | 'failed' };
  /** The first call as a command. */
  call: string;
  /** The steps that have a button, in seconds. */
  steps: Readonly<Record<'hour' | 'day' | 'week', number>>;
  form: FormProps;
  resetHref: string;
  removeHref: string;
  accountHref: string;
  newKeyHref: string;
  guideHref: string;
  flash: keyof Messages['partnerTools']['testStores']['flash'] | undefined;
  result: ClockResult | undefined;
}

/** One test store: its first call, its clock, and how to reset or delete it. */
const TestStorePage = ({ dashboard, store, form, ...props }: TestStorePageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const { testStores: t, clock, links } = messages.partnerTools;
  return (
    <DashboardLayout {...dashboard} title={store.name} scripts={[copyButtonScript]}>
      <h1>
        <UntrustedName name={store.name} />
      </h1>
      {form.errors.length > 0 && (
        <ErrorSummary title={messages.errorSummary} errors={form.errors} />
      )}
      <FlashMessage text={flashText(props, language)} />
      <dl class="facts">
        <dt>{t.columns.alias}</dt>
        <dd>
          <code>{store.alias}</code>
        </dd>
        <dt>{t.columns.state}</dt>
        <dd>
          <TestStoreBadge state={store.state} language={language} />{' '}
          {store.state === 'filling' && t.fillingHint}
          {store.state === 'failed' && t.failedHint}
        </dd>
      </dl>
      <p class="actions">
        <a class="button plain" href={props.accountHref}>
          {t.account}
        </a>
        <a class="button plain" href={props.guideHref}>
          {links.guide}
        </a>
      </p>
      <CopyableCode language={language} label={t.call} value={props.call} />
      <p class="actions">
        <a class="button plain" href={props.newKeyHref}>
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
          <button class="plain" name="seconds" value={String(props.steps[step])}>
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
        <a class="button plain" href={props.resetHref}>
          {t.reset}
        </a>
        <a class="button danger" href={props.removeHref}>
          {t.remove}
        </a>
      </p>
    </DashboardLayout>
  );
};

function flashText(
  { flash, result }: Pick<TestStorePageProps, 'flash' | 'result'>,
  language: DashboardProps['layout']['language'],
): string | undefined {
  const { testStores, clock } = messagesFor(language).partnerTools;
  const text = flash && testStores.flash[flash];
  if (!text || !result) return text;
  const counts = clock.result.replaceAll(/\{(carts|transactions|webhooks)\}/g, (_, name: string) =>
    // The pattern names the keys.
    result[name as keyof ClockResult].toLocaleString(language),
  );
  return `${text} ${counts}`;
}

type TestStoreState = keyof Messages['partnerTools']['testStores']['states'];

const tones: Readonly<Record<TestStoreState, Tone>> = {
  ready: 'good',
  filling: 'neutral',
  failed: 'warn',
  deleted: 'danger',
};

const TestStoreBadge = ({ state, language }: { state: TestStoreState; language: Language }) => (
  <StateBadge
    tone={tones[state]}
    text={messagesFor(language).partnerTools.testStores.states[state]}
  />
);

interface TestStoresPageProps {
  dashboard: DashboardProps;
  stores: readonly {
    name: string;
    alias: string;
    state: TestStoreState;
    /** Absent for a store that is being deleted. */
    href?: string;
  }[];
  max: number;
  makeHref: string;
  guideHref: string;
  flash: keyof Messages['partnerTools']['testStores']['flash'] | undefined;
}

/** The test stores of a partner. */
const TestStoresPage = ({ dashboard, stores, max, ...props }: TestStoresPageProps) => {
  const { language } = dashboard.layout;
  const { testStores: t, links } = messagesFor(language).partnerTools;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={props.flash && t.flash[props.flash]} />
      <p>
        {t.lead.replace('{count}', String(max))} <a href={props.guideHref}>{links.guide}</a>
      </p>
      {stores.length === 0 && <EmptyState text={t.none} />}
      {stores.length < max && (
        <p class="actions">
          <a class="button" href={props.makeHref}>
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
              cell: ({ href, name }) =>
                href === undefined ? (
                  <UntrustedName {...{ name }} />
                ) : (
                  <a href={href}>
                    <UntrustedName {...{ name }} />
                  </a>
                ),
            },
            { label: t.columns.alias, cell: ({ alias }) => <code>{alias}</code> },
            {
              label: t.columns.state,
              cell: ({ state }) => <TestStoreBadge {...{ state, language }} />,
            },
          ]}
        />
      )}
    </DashboardLayout>
  );
};
