import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { cartItems, carts } from '../../src/db/schema/carts.ts';
import { orderAddresses, orderItems, orders, orderStatuses } from '../../src/db/schema/orders.ts';

const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)';

/** Adds `?1` copies of the rows that `where` finds by `?2`; `others` says which columns differ, in SQL with `n.i`. */
function copying(table: SQLiteTable, where: string, others: Record<string, string>) {
  const kept = Object.values(getTableColumns(table))
    .filter(({ name, generated }) => others[name] !== '' && generated === undefined)
    .map(({ name }) => name);
  const values = kept.map((name) => others[name] ?? `one."${name}"`);
  const columns = kept.map((name) => `"${name}"`).join();
  const name = getTableName(table);
  return env.STORE_0.prepare(
    `insert into ${name} (${columns}) ${numbers} select ${values.join()} from ${name} as one, n where one.${where} = ?2`,
  );
}

/** The next ids of a kind, from the sequence that the program takes them from. */
const reserved = (table: SQLiteTable) =>
  `(select last from sequences where kind = '${getTableName(table)}') - ?1 + n.i`;

/** Orders like one that was placed, under ids of their own, which have reserved nothing; answers with their ids. */
export async function copiesOfOrder(id: number, count: number): Promise<number[]> {
  const parts = [orderItems, orderAddresses, orderStatuses];
  const take = [orders, ...parts].map((table) =>
    env.STORE_0.prepare('update sequences set last = last + ? where kind = ? returning last').bind(
      count,
      getTableName(table),
    ),
  );
  const copies = [
    copying(orders, 'id', { id: reserved(orders), number: 'one.number + n.i' }),
    ...parts.map((table) =>
      copying(table, 'order_id', { id: reserved(table), order_id: reserved(orders) }),
    ),
  ].map((statement) => statement.bind(count, id));
  const [taken] = await env.STORE_0.batch<{ last: number }>([...take, ...copies]);
  const last = taken?.results[0]?.last ?? 0;
  return Array.from({ length: count }, (_, index) => last - index);
}

/** Carts like one that was made, under ids of their own; answers with their ids. */
export async function copiesOfCart(id: number, count: number): Promise<number[]> {
  const token = `one.token || '-' || n.i`;
  const ofCopy = `(select c.id from carts c where c.token = (select token from carts where id = ?2) || '-' || n.i)`;
  await env.STORE_0.batch([
    copying(carts, 'id', { id: '', token }).bind(count, id),
    copying(cartItems, 'cart_id', { id: '', cart_id: ofCopy }).bind(count, id),
  ]);
  const { results } = await env.STORE_0.prepare(
    `select id from carts where store_id = (select store_id from carts where id = ?1)
     and token > (select token || '-' from carts where id = ?1) and token < (select token || '.' from carts where id = ?1)`,
  )
    .bind(id)
    .all<{ id: number }>();
  return results.map((row) => row.id);
}
