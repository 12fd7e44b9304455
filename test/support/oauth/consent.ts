import { env } from 'cloudflare:workers';
import { shardBindings } from '../../../src/data/core/open-database.ts';
import type { App } from '../../../src/data/directory/apps.ts';
import { Browser, type BrowserPage } from '../browser/browser.ts';
import { hiddenFieldsOf } from '../browser/form-fields.ts';
import { createTestStore, type TestStore } from '../fixtures/store.ts';
import { createTestApp, partnerRedirectUri } from './partner.ts';

export const consentPath = '/oauth/authorize';

/** Returns the URL of an authorization request; parameters that are `undefined` are omitted. */
export function authorizeUrl(
  { client_id }: Pick<App, 'client_id'>,
  overrides: Record<string, string | undefined> = {},
): string {
  const params = {
    client_id,
    response_type: 'code',
    redirect_uri: partnerRedirectUri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'xyz',
    ...overrides,
  };
  const present = Object.entries(params).filter(
    (param): param is [string, string] => param[1] !== undefined,
  );
  return `${consentPath}?${new URLSearchParams(present).toString()}`;
}

/** The consent page of an app, opened by a merchant with one store. */
export interface ConsentPrompt {
  browser: Browser;
  store: TestStore;
  app: App;
  page: BrowserPage;
  /** Submits the decision, with overrides of form fields. */
  decide: (
    decision: 'approve' | 'deny',
    changed?: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<BrowserPage>;
}

/** Creates an app and a signed-in merchant who opens its consent page. */
export async function openConsentPage(
  options: Parameters<typeof createTestApp>[0] & {
    changed?: Record<string, string | undefined>;
    shard?: number;
  } = {},
): Promise<ConsentPrompt> {
  const [merchantStore, requestingApp] = [
    await createTestStore(options),
    await createTestApp(options),
  ];
  const browser = await new Browser().signIn(merchantStore.userId);
  const page = await browser.get(authorizeUrl(requestingApp, options.changed));
  return {
    browser,
    store: merchantStore,
    app: requestingApp,
    page,
    decide: (decision, changed = {}, headers) =>
      browser.post(
        consentPath,
        { ...hiddenFieldsOf(page, consentPath), decision, ...changed },
        headers,
      ),
  };
}

/** Reads the grants of an app in all shards. */
export async function grantsOf({ client_id }: Pick<App, 'client_id'>) {
  const select = 'select * from oauth_grants where client_id = ?';
  const found = await Promise.all(
    [...shardBindings(env).values()].map((db) => db.prepare(select).bind(client_id).all()),
  );
  return found.flatMap(({ results }) => results);
}

/** Returns the query parameters of a redirect. */
export const redirectParams = ({ location }: BrowserPage) => new URL(location ?? '').searchParams;
