import { env } from 'cloudflare:workers';
import { shared } from '../shared.ts';

/** The tables of a shard, and which of them have a column for the store. */
const tables = shared(async () => {
  const { results } = await env.STORE_0.prepare(
    `select name, exists (select 1 from pragma_table_info(m.name) where name = 'store_id') as isOfStores
     from sqlite_master m where type = 'table' and name not like '\\_%' escape '\\'
       and name not like 'sqlite%' and name not like 'd1%' and name not like '%\\_text\\_%' escape '\\'`,
  ).all<{ name: string; isOfStores: 0 | 1 }>();
  return results;
});

/**
 * Every row of a store in the shard, and how many rows other tables have, as text; but for some
 * tables.
 */
export async function allRows(storeId: number, omitted: readonly string[] = []): Promise<string> {
  const statements = (await tables())
    .filter(({ name }) => !omitted.includes(name))
    .map(({ name, isOfStores }) =>
      isOfStores
        ? env.STORE_0.prepare(`select * from ${name} where store_id = ?`).bind(storeId)
        : env.STORE_0.prepare(`select '${name}', count(*) from ${name}`),
    );
  const rows = await env.STORE_0.batch(statements);
  return JSON.stringify(rows.map(({ results }) => results));
}
