import { sql } from 'drizzle-orm';
import { bitsOf, scopes } from '../access/scopes.ts';
import type { Shard } from '../db/open.ts';
import { apps, users } from '../db/schema/directory.ts';

const partner = 'paula@demo.test';

/** A native app, which takes the port it gets, and one on a server. */
const redirectUris = ['http://127.0.0.1/callback', 'https://partner.example/callback'];

/** The apps of the demo's partner: everything, little, and one that is not published. */
export const demoApps = [
  { client_id: 'demo-app', name: 'Estoque Fácil', scopes, state: 'published' },
  {
    client_id: 'catalog-app',
    name: 'Vitrine Pronta',
    scopes: ['catalog.read'],
    state: 'published',
  },
  { client_id: 'draft-app', name: 'Etiquetas Express', scopes, state: 'draft' },
] as const;

/** The statement that registers them, unless they are there. */
export function addApps(directory: Shard, now: number) {
  const rows = demoApps.map((app) => ({
    ...app,
    owner_id: sql`(select id from ${users} where email = ${partner})`,
    publisher: 'Paula Prado Software',
    redirect_uris: redirectUris,
    scopes: bitsOf(new Set(app.scopes)),
    created_at: now,
    updated_at: now,
  }));
  return directory.insert(apps).values(rows).onConflictDoNothing();
}
