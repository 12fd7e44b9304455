/**
 * Rows of the only store of a simulation: a tree whose parents come later, timers, and a grant with
 * its first token.
 */
export const insertStoreRows = (db: D1Database, now: number, timers: number) =>
  db.batch(
    [
      'insert into placements (store_id, works) values (1, 1)',
      ...[1, 2, 3].map(
        (id) =>
          `insert into categories (id, store_id, name, name_folded, slug, active, home, featured, price_factor, "order", sort_by, created_at, updated_at)
            values (${id}, 1, 'c${id}', 'c${id}', 'c${id}', 1, 0, 0, 1, 0, 'name', 0, 0)`,
      ),
      'update categories set parent_id = 3 where id = 1',
      'update categories set parent_id = 1 where id = 2',
      ...Array.from(
        { length: timers },
        (_, index) =>
          `insert into carts (id, store_id, token, value_shipment, edited_at, due_at, created_at, updated_at)
            values (${index + 1}, 1, 't${index}', 0, 0, ${now + index * 60_000}, 0, 0)`,
      ),
      `insert into oauth_grants (id, store_id, store_alias, client_id, user_id, scopes, challenge, redirect_hash,
          code_expires_at, generation, current_hash, created_at, expires_at)
        values ('g', 1, 's', 'app', 1, 1, '', '', 0, 1, 'token-1', 0, ${now + 10 * 365 * 86_400_000})`,
    ].map((sql) => db.prepare(sql)),
  );
