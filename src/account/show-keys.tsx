import type { Context } from 'hono';
import { listPairs } from '../db/header-pairs.ts';
import { openShard } from '../db/open.ts';
import type { Faces } from '../http/faces.ts';
import { KeysPage } from '../pages/keys-page.tsx';
import { panelOf } from '../session/panel-of.ts';
import { paths } from '../session/paths.ts';
import { showPage } from '../session/show-page.ts';
import type { Here } from '../session/signed-in.ts';
import { defaultZone } from '../wire/zone.ts';
import { keyPaths } from './key-paths.ts';

/** `GET /account/keys`: the header pairs of whoever is signed in. */
export async function showKeys(c: Context<Faces>, { person }: Here) {
  const pairs = await listPairs(openShard(c.env.DIRECTORY), person.user.id);
  const page = (
    <KeysPage
      panel={panelOf(c, 'keys', paths.keys)}
      keys={pairs.map(({ id, ...pair }) => ({
        ...pair,
        revokeHref: keyPaths.revoke(String(id)),
      }))}
      zone={defaultZone}
      newHref={keyPaths.create}
      isRevoked={c.req.query('done') === 'revoked'}
    />
  );
  return showPage(c, page);
}
