import { env } from 'cloudflare:workers';
import type { App } from '../../src/db/apps.ts';
import { Browser, type Page } from './browser.ts';
import { fieldsOf } from './fields-of.ts';
import { app, callback } from './partner.ts';
import { store, type TestStore } from './store.ts';

export const path = '/oauth/authorize';

/** An authorization request; what is `undefined` is left out. */
export function requestOf(
  { client_id }: Pick<App, 'client_id'>,
  changed: Record<string, string | undefined> = {},
): string {
  const all = {
    client_id,
    response_type: 'code',
    redirect_uri: callback,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'xyz',
    ...changed,
  };
  const sent = Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined);
  return `${path}?${new URLSearchParams(sent).toString()}`;
}

/** A merchant with one store before the consent page of an app. */
export interface Asked {
  browser: Browser;
  store: TestStore;
  app: App;
  page: Page;
  /** Sends the decision, with changes to the fields of the form. */
  decide: (
    decision: 'approve' | 'deny',
    changed?: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Page>;
}

/** Brings a signed-in merchant before a consent page. */
export async function asked(
  options: Parameters<typeof app>[0] & {
    changed?: Record<string, string | undefined>;
    shard?: number;
  } = {},
): Promise<Asked> {
  const [merchant, asking] = [await store(options), await app(options)];
  const browser = await new Browser().signedIn(merchant.userId);
  const page = await browser.get(requestOf(asking, options.changed));
  return {
    browser,
    store: merchant,
    app: asking,
    page,
    decide: (decision, changed = {}, headers) =>
      browser.post(path, { ...fieldsOf(page, path), decision, ...changed }, headers),
  };
}

/** The grants of an app, in the database of shard 0. */
export async function grantsOf({ client_id }: Pick<App, 'client_id'>) {
  const all = env.STORE_0.prepare('select * from oauth_grants where client_id = ?');
  return (await all.bind(client_id).all()).results;
}

/** The parameters that a redirect carries. */
export const returned = ({ location }: Page) => new URL(location ?? '').searchParams;
