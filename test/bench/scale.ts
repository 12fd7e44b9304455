/** Rows that a page of 10 brands reads, at growing sizes of the store and beside other stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openShard } from '../../src/db/open.ts';
import { brands } from '../../src/db/schema/store.ts';
import { StoreDb } from '../../src/db/store.ts';
import { contains, listing } from '../../src/wire/listing.ts';
import { defaultZone, inZone } from '../../src/wire/zone.ts';
import { bundle } from '../support/node/bundle.ts';
import { migrate, startRuntime } from '../support/node/runtime.ts';

const sizes = [100, 10_000, 200_000];

const list = listing({ sort: ['name', 'active'], filters: { name: contains('name') } });

const queries: Record<string, Record<string, string>> = {
  'first page': {},
  'by name, descending': { orderBy: 'name', sortedBy: 'desc' },
  'two keys, no index of both': { orderBy: 'active;name' },
  'page 5': { page: '5' },
};

/** Fills store `id` with that many brands, in chunks that one statement can take. */
async function fill(database: D1Database, id: number, count: number): Promise<void> {
  const chunk = 10_000;
  for (let from = 0; from < count; from += chunk) {
    const numbers = `with recursive n(i) as (select ${from} union all select i + 1 from n where i + 1 < ${Math.min(from + chunk, count)})`;
    await database
      .prepare(
        `${numbers} insert into brands (store_id, name, name_key, name_folded, active, featured, created_at, updated_at)
         select ?1, 'Marca ' || i, 'marca ' || i, 'marca ' || i, i % 2, 0, ?2, ?2 from n`,
      )
      .bind(id, Date.now())
      .run();
  }
}

/** Prints the rows read by each kind of page at each size. */
export async function compareSizes(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'store-api-scale-'));
  const built = bundle();
  const runtime = await startRuntime({ script: join(built.folder, 'index.js'), persist: scratch });
  await migrate(runtime);
  // Miniflare's own type names a package that is not published.
  const database = (await runtime.getD1Database('STORE_0')) as unknown as D1Database;
  let rowsRead = 0;
  const counting = {
    prepare: (sql: string) => database.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await database.batch(statements);
      rowsRead = results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
      return results;
    },
  } as unknown as D1Database;
  for (const [index, size] of sizes.entries()) await fill(database, index + 1, size);
  console.log(`rows read by a page of 10 brands at ${sizes.join(', ')} brands (aim: within 2x)`);
  for (const [name, query] of Object.entries(queries)) {
    const costs = [];
    for (const index of sizes.keys()) {
      const store = {
        id: index + 1,
        alias: 'x',
        shard: 0,
        zone: defaultZone,
        base_url: '',
        active: true,
        test: false,
      };
      const db = new StoreDb(store, openShard(counting), { now: 0, wake: () => undefined });
      await db.page(
        brands,
        inZone(defaultZone, () => list.schema.parse(query)),
      );
      costs.push(rowsRead);
    }
    console.log(`  ${name.padEnd(28)} ${costs.map((cost) => String(cost).padStart(8)).join('')}`);
  }
  await runtime.dispose();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
}
