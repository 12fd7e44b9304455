import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Miniflare } from 'miniflare';
import { sha256 } from '../../../../src/base/crypto/digest.ts';
import { issueCode } from '../../../../src/oauth/issue-code.ts';
import { wranglerVars } from '../runtime/runtime.ts';

/** The client id of `seedApp`; it is one of `FIXED_CLIENT_IDS` in wrangler.toml. */
export const seededClientId = 'demo-app';
export const seededRedirectUri = 'https://partner.test/callback';

/** Inserts a published app of the user of `seedStore`. */
export async function seedApp(runtime: Miniflare): Promise<void> {
  const directory = await runtime.getD1Database('DIRECTORY');
  await directory
    .prepare(
      `insert into apps (client_id, owner_id, name, publisher, redirect_uris, scopes, state, created_at, updated_at)
       values (?, 1, 'Bench', 'Bench', ?, 3, 'published', 0, 0)`,
    )
    .bind(seededClientId, JSON.stringify([seededRedirectUri]))
    .run();
}

/**
 * Issues a code as the consent page does when the merchant of `seedStore` approves; returns it with
 * its verifier.
 */
export async function issueSeededCode(
  runtime: Miniflare,
): Promise<{ code: string; verifier: string }> {
  const env = {
    ...wranglerVars,
    DIRECTORY: await runtime.getD1Database('DIRECTORY'),
    STORE_0: await runtime.getD1Database('STORE_0'),
    GRANTS: await runtime.getKVNamespace('GRANTS'),
  } as unknown as Env;
  const verifier = randomBytes(32).toString('base64url');
  const deferred: Promise<unknown>[] = [];
  const code = await issueCode(
    env,
    {
      grantId: randomBytes(16).toString('base64url'),
      clientId: seededClientId,
      userId: 1,
      store: { id: 1, alias: 'bench', shard: 0 },
      scopes: 3,
      challenge: await sha256(verifier),
      redirectUri: seededRedirectUri,
    },
    Date.now(),
    (work) => void deferred.push(work),
  );
  await Promise.all(deferred);
  if (code === undefined) throw new Error('the consent was already decided');
  return { code, verifier };
}

/** Keeps connections open; thousands of calls with `fetch` would take twice the processor time. */
const agent = new Agent({ keepAlive: true });

/** Posts a form of the seeded app to the token endpoint of a running service. */
export async function postTokenForm(url: string, form: Record<string, string>) {
  const sent = request(`${url}oauth/token`, {
    method: 'POST',
    agent,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  sent.end(new URLSearchParams({ client_id: seededClientId, ...form }).toString());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: (await json(response)) as Record<string, string> };
}
