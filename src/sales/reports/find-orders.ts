import { sql, type SQL } from 'drizzle-orm';
import { foldText } from '../../base/codecs/fields/normalize-text.ts';
import { toAddress } from '../../base/codecs/listing/field-types.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { candidateIds } from '../../data/lists/record-source.ts';
import { canSearch, textSource } from '../../data/lists/text-search.ts';
import { customers } from '../../data/schema/store/customers-tables.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';

/** The newest customers that a text is compared with, and their newest orders, each at most. */
const maxCandidates = { customers: 200, orders: 20 };

/** Whether a text is long enough to search for customers. */
export const isSearchable = (text: string) => canSearch(customers, 'full_name', foldText(text));

/** Condition: an order has this number. */
export const hasNumber = (number: number): SQL => sql`${orders.number} = ${number}`;

/**
 * Condition: an order is one of the newest of a customer whose full name or e-mail address contains
 * a text. The rows read are bounded, however large the store is.
 */
export function isOfCustomer(db: StoreDb, text: string): SQL {
  const storeId = db.store.id;
  const folded = foldText(text);
  const address = foldText(toAddress(text));
  const source = textSource(customers, storeId, [
    { column: 'full_name', text: folded },
    { column: 'email', text: address },
  ]);
  const found = candidateIds(source, maxCandidates.customers, { descending: true });
  return sql`${orders.id} in (
    select newest.value from ${customers}
    cross join json_each((select json_group_array(id) from (
      select id from ${orders} where store_id = ${storeId} and customer_id = customers.id
      order by id desc limit ${maxCandidates.orders}))) newest
    where customers.id in (${found}) and +customers.store_id = ${storeId}
      and (instr(customers.full_name, ${folded}) > 0 or instr(customers.email_folded, ${address}) > 0)
    order by newest.value desc limit ${maxCandidates.orders})`;
}
