import type { Context } from 'hono';
import { cleanFormLine } from '../../codecs/fields/normalize-text.ts';
import { openDatabase } from '../../db/core/open.ts';
import { HttpError, TooManyTestStores } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { NewTestStorePage, TestStoresPage } from '../../pages/partners/test-stores-page.tsx';
import {
  createTestStore,
  listTestStores,
  type TestStore,
} from '../../people/partners/test-stores.ts';
import { maxTestStores } from '../../people/stores/insert-store.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { buildPartnerLayoutProps, guidePath } from '../dashboard.ts';
import { testStorePaths } from '../paths.ts';

/** What a page calls the state of a test store that works. */
export const stateOfContents = ({ lastFill }: Pick<TestStore, 'lastFill'>) => {
  if (lastFill === 'waiting' || lastFill === 'running') return 'filling';
  return lastFill === 'failed' ? 'failed' : 'ready';
};

/** `GET /partners/test-stores`: the user's test stores. */
export async function showTestStores(c: Context<AppEnv>, context: PageContext) {
  const stores = await listTestStores(openDatabase(c.env.DIRECTORY), context.session.user.id);
  const dashboard = buildPartnerLayoutProps(c, context, 'testStores', testStorePaths.list);
  const page = (
    <TestStoresPage
      dashboard={dashboard}
      stores={stores.map((store) => ({
        name: store.name,
        alias: store.alias,
        state: store.active ? stateOfContents(store) : 'deleted',
        ...(store.active && { href: testStorePaths.store(store.alias) }),
      }))}
      max={maxTestStores}
      makeHref={testStorePaths.make}
      guideHref={guidePath(dashboard, 'test-stores')}
      flash={c.req.query('done') === 'deleted' ? 'deleted' : undefined}
    />
  );
  return renderPage(c, page);
}

type FormFault = 'nameMissing' | 'nameLong' | 'tooMany' | 'noRoom';

async function showForm(c: Context<AppEnv>, context: PageContext, name: string, error?: FormFault) {
  const page = (
    <NewTestStorePage
      dashboard={buildPartnerLayoutProps(c, context, 'testStores', testStorePaths.make)}
      action={testStorePaths.make}
      formToken={await sealFormToken(c, context, testStorePaths.make)}
      back={testStorePaths.list}
      max={maxTestStores}
      {...{ name, error }}
    />
  );
  return renderPage(c, page, { status: error ? 422 : 200 });
}

/** `GET /partners/test-stores/new`. */
export const showNewTestStore = (c: Context<AppEnv>, context: PageContext) =>
  showForm(c, context, '');

/** `POST /partners/test-stores/new`: makes a test store and leads to it (303). */
export async function submitNewTestStore(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const typed = form.get('name') ?? '';
  const name = cleanFormLine(typed, 80);
  if (name === undefined) return showForm(c, context, typed, 'nameLong');
  if (name === '') return showForm(c, context, typed, 'nameMissing');
  try {
    const { alias } = await createTestStore(pageDeed(c, context), name);
    return c.redirect(`${testStorePaths.store(alias)}?done=made`, 303);
  } catch (error) {
    if (error instanceof TooManyTestStores) return showForm(c, context, typed, 'tooMany');
    if (error instanceof HttpError && error.code === 'no_room') {
      return showForm(c, context, typed, 'noRoom');
    }
    throw error;
  }
}
