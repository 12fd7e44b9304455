import { exports } from 'cloudflare:workers';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { randomBase64url } from '../../../src/base/crypto/random.ts';
import { Browser, type BrowserPage } from '../browser/browser.ts';
import { hiddenFieldsOf } from '../browser/form-fields.ts';
import { mockNetwork } from '../fakes/network.ts';
import { createTestStore, type TestStore } from '../fixtures/store.ts';
import { authorizeUrl, consentPath } from './consent.ts';

/** A new address of a document, of a host that no other test uses. */
export const newDocumentId = (host = `agent-${crypto.randomUUID()}.test`) =>
  `https://${host}/client.json`;

/** The document of an agent, with changes. */
export const agentDocument = (clientId: string, changes: Record<string, unknown> = {}) => ({
  client_id: clientId,
  client_name: 'Claude',
  redirect_uris: [`https://${new URL(clientId).hostname}/callback`],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  ...changes,
});

/** Serves documents by their addresses until it is disposed. */
export const serveDocuments = (documents: Record<string, () => Response>) =>
  mockNetwork(({ url }) => documents[url]?.() ?? new Response(null, { status: 404 }));

/** Registers an agent; the status and body of the answer. */
export async function registerClient(metadata: unknown, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch('https://api.test/oauth/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- a client or an error; tests read both
  const body: any = await response.json();
  return { status: response.status, headers: response.headers, body };
}

/** The consent page of an agent, opened by a merchant with one store. */
export interface AgentPrompt {
  browser: Browser;
  store: TestStore;
  page: BrowserPage;
  verifier: string;
  /** Submits the page with the choices of the person. */
  decide: (choices: {
    decision?: string;
    access?: string;
    areas?: readonly string[];
  }) => Promise<BrowserPage>;
}

/** Opens the consent page of an agent. */
export async function openAgentPage(
  clientId: string,
  changed: Record<string, string | undefined>,
): Promise<AgentPrompt> {
  const store = await createTestStore();
  const browser = await new Browser().signIn(store.userId);
  const verifier = randomBase64url(32);
  const code_challenge = await sha256(verifier);
  const url = authorizeUrl({ client_id: clientId }, { code_challenge, ...changed });
  const page = await browser.get(url);
  return {
    browser,
    store,
    page,
    verifier,
    decide: ({ decision = 'approve', access = 'read', areas = [] }) =>
      browser.post(consentPath, {
        ...hiddenFieldsOf(page, consentPath),
        decision,
        access,
        area: [...areas],
      }),
  };
}
