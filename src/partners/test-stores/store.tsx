import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { serviceOrigin } from '../../http/origin.ts';
import { Interpolate, UntrustedName } from '../../pages/components/text.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { TestStorePage } from '../../pages/partners/test-store-page.tsx';
import {
  advanceTestStore,
  deleteTestStore,
  requireTestStore,
  resetTestStore,
  type TestStore,
} from '../../people/partners/test-stores.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { maxAdvanceSeconds } from '../../test-stores/clock.ts';
import { buildPartnerLayoutProps, guidePath } from '../dashboard.ts';
import { testStorePaths } from '../paths.ts';
import { stateOfContents } from './list.tsx';

const steps = { hour: 3_600, day: 86_400, week: 604_800 } as const;

const flashes = ['made', 'reset', 'advanced'] as const;

const countOf = (c: Context<AppEnv>, name: string) =>
  Number(/^\d{1,7}$/.exec(c.req.query(name) ?? '')?.[0] ?? 0);

/** Loads the test store of the path. Throws 404 unless the user owns it and it works. */
async function loadStore(c: Context<AppEnv>, context: PageContext): Promise<TestStore> {
  const { alias = '' } = c.req.param();
  return requireTestStore(pageDeed(c, context), alias);
}

async function showPage(
  c: Context<AppEnv>,
  context: PageContext,
  store: TestStore,
  typed?: { minutes: string },
) {
  const { alias, name } = store;
  const action = testStorePaths.store(alias);
  const origin = serviceOrigin(settingsOf(c.env), c.req.url);
  const flash = flashes.find((news) => news === c.req.query('done'));
  const dashboard = buildPartnerLayoutProps(c, context, 'testStores', action);
  const page = (
    <TestStorePage
      dashboard={dashboard}
      store={{ name, alias, state: stateOfContents(store) }}
      call={`curl '${origin}/v2/${alias}/catalog/products' -H 'User-Token: ...' -H 'User-Secret-Key: ...'`}
      steps={steps}
      action={action}
      formToken={await sealFormToken(c, context, action)}
      resetHref={testStorePaths.reset(alias)}
      removeHref={testStorePaths.remove(alias)}
      accountHref={`${browserPaths.stores}/${alias}`}
      guideHref={guidePath(dashboard, 'test-stores')}
      minutes={typed?.minutes ?? ''}
      hasError={typed !== undefined}
      flash={typed ? undefined : flash}
      result={
        flash === 'advanced'
          ? {
              carts: countOf(c, 'carts'),
              transactions: countOf(c, 'payments'),
              webhooks: countOf(c, 'webhooks'),
            }
          : undefined
      }
    />
  );
  return renderPage(c, page, { status: typed ? 422 : 200 });
}

/** `GET /partners/test-stores/{alias}`. */
export const showTestStore = async (c: Context<AppEnv>, context: PageContext) =>
  showPage(c, context, await loadStore(c, context));

/** `POST /partners/test-stores/{alias}`: advances the clock of the store. */
export async function submitClock(c: Context<AppEnv>, context: PageContext, form: URLSearchParams) {
  const store = await loadStore(c, context);
  const minutes = (form.get('minutes') ?? '').trim();
  const chosen = Object.values(steps).find((step) => String(step) === form.get('seconds'));
  const seconds = chosen ?? (/^\d{1,6}$/.test(minutes) ? Number(minutes) * 60 : 0);
  if (seconds < 1 || seconds > maxAdvanceSeconds) return showPage(c, context, store, { minutes });
  const moved = await advanceTestStore(pageDeed(c, context), store, seconds);
  const query = new URLSearchParams({
    done: 'advanced',
    carts: String(moved.carts),
    payments: String(moved.transactions),
    webhooks: String(moved.webhooks),
  });
  return c.redirect(`${testStorePaths.store(store.alias)}?${query.toString()}`, 303);
}

/** Asks before a test store is reset or deleted, and says what happens. */
const showConfirmation =
  (deed: 'reset' | 'remove') => async (c: Context<AppEnv>, context: PageContext) => {
    const { alias, name } = await loadStore(c, context);
    const action = testStorePaths[deed](alias);
    const dashboard = buildPartnerLayoutProps(c, context, 'testStores', action);
    const { testStores: t } = messagesFor(dashboard.layout.language).partnerTools;
    const page = (
      <ConfirmPage
        {...{ dashboard, action }}
        title={t[deed]}
        question={
          <Interpolate
            text={t[`${deed}Question`]}
            parts={{ store: <UntrustedName name={name} /> }}
          />
        }
        paragraphs={deed === 'reset' ? [t.resetLead, t.resetEvents] : [t.removeLead]}
        formToken={await sealFormToken(c, context, action)}
        submit={t[deed]}
        isDangerous
        back={testStorePaths.store(alias)}
      />
    );
    return renderPage(c, page);
  };

export const showReset = showConfirmation('reset');

export const showRemoval = showConfirmation('remove');

/** `POST /partners/test-stores/{alias}/reset`: empties the store and fills it again, in the background. */
export async function submitReset(c: Context<AppEnv>, context: PageContext) {
  const store = await loadStore(c, context);
  await resetTestStore(pageDeed(c, context), store);
  return c.redirect(`${testStorePaths.store(store.alias)}?done=reset`, 303);
}

/** `POST /partners/test-stores/{alias}/delete`: closes the store at once; its data go in the background. */
export async function submitRemoval(c: Context<AppEnv>, context: PageContext) {
  const store = await loadStore(c, context);
  await deleteTestStore(pageDeed(c, context), store);
  return c.redirect(`${testStorePaths.list}?done=deleted`, 303);
}
