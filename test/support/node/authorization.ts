import { randomBytes } from 'node:crypto';
import type { Miniflare } from 'miniflare';
import { sha256 } from '../../../src/crypto/sha256.ts';
import { issueCode } from '../../../src/oauth/issue-code.ts';
import { variables } from './runtime.ts';

/** The app of `seedApp`, which the settings name, and its redirect URI. */
export const clientId = 'demo-app';
export const callback = 'https://partner.test/callback';

/** Registers the published app of the user of `seedStore`. */
export async function seedApp(runtime: Miniflare): Promise<void> {
  const directory = await runtime.getD1Database('DIRECTORY');
  await directory
    .prepare(
      `insert into apps (client_id, owner_id, name, publisher, redirect_uris, scopes, state, created_at, updated_at)
       values (?, 1, 'Bench', 'Bench', ?, 3, 'published', 0, 0)`,
    )
    .bind(clientId, JSON.stringify([callback]))
    .run();
}

/** What the consent page does when the merchant of `seedStore` approves: a code and its verifier. */
export async function approve(runtime: Miniflare): Promise<{ code: string; verifier: string }> {
  const env = {
    ...variables,
    DIRECTORY: await runtime.getD1Database('DIRECTORY'),
    STORE_0: await runtime.getD1Database('STORE_0'),
    GRANTS: await runtime.getKVNamespace('GRANTS'),
  } as unknown as Env;
  const verifier = randomBytes(32).toString('base64url');
  const left: Promise<unknown>[] = [];
  const issued = await issueCode(
    env,
    {
      grantId: randomBytes(16).toString('base64url'),
      clientId,
      userId: 1,
      store: { id: 1, alias: 'bench', shard: 0 },
      scopes: 3,
      challenge: await sha256(verifier),
      redirectUri: callback,
    },
    Date.now(),
    (work) => void left.push(work),
  );
  await Promise.all(left);
  if (issued === 'already decided') throw new Error(issued);
  return { code: issued.code, verifier };
}

/** Posts a form to the token endpoint of a running service. */
export async function token(url: string, form: Record<string, string>) {
  const response = await fetch(`${url}oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, ...form }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}
