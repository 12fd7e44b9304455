import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBase64url } from '../../base/crypto/random.ts';

/** Returns the token of the set-up link of a state folder, which is generated once. */
export function readSetupToken(state: string): string {
  const file = join(state, 'setup-token');
  if (!existsSync(file)) writeFileSync(file, randomBase64url(32), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** Returns the link that creates the first operator; `undefined` if there is one already. */
export async function findSetupLink(
  { DIRECTORY }: Env,
  origin: string,
  token: string,
): Promise<string | undefined> {
  const found = await DIRECTORY.prepare(
    'select 1 as found from users where super_user = 1 limit 1',
  ).first();
  return found ? undefined : `${origin}/setup?token=${token}`;
}
