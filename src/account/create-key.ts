import type { Context } from 'hono';
import { limited } from '../access/limits.ts';
import { randomBase64url } from '../crypto/random.ts';
import { sha256 } from '../crypto/sha256.ts';
import { addPair } from '../db/header-pairs.ts';
import { openShard } from '../db/open.ts';
import type { Faces } from '../http/faces.ts';
import type { Here } from '../session/signed-in.ts';
import { settingsOf } from '../settings.ts';
import { cleanLine, codePoints } from '../wire/clean.ts';
import { keyPaths } from './key-paths.ts';
import { handOver } from './made-pair.ts';
import { showNewKey } from './show-new-key.tsx';

const longestName = 80;

/** `POST /account/keys/new`: makes a header pair of which digests alone are kept, and shows it once. Throws 429. */
export async function createKey(c: Context<Faces>, here: Here, form: URLSearchParams) {
  const name = cleanLine(form.get('name') ?? '');
  if (name === '') return showNewKey(c, here, { fault: 'nameMissing' });
  if (codePoints(name) > longestName) return showNewKey(c, here, { name, fault: 'nameLong' });

  const { limits } = settingsOf(c.env);
  await limited(c.env.ME_LIMIT, limits.me, `keys:${here.person.user.id}`, here.now);
  const pair = { token: `ut_${randomBase64url(24)}`, secret: `sk_${randomBase64url(32)}` };
  const isAdded = await addPair(openShard(c.env.DIRECTORY), {
    user_id: here.person.user.id,
    name,
    token_hash: await sha256(pair.token),
    secret_hash: await sha256(pair.secret),
    last_four: pair.secret.slice(-4),
    created_at: here.now,
  });
  if (!isAdded) return showNewKey(c, here, { name, fault: 'tooMany' });
  await handOver(c, here, pair);
  return c.redirect(keyPaths.made, 303);
}
