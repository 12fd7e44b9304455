import { and, eq, sql } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import { refuseIf } from '../../db/references.ts';
import { customers } from '../../db/schema/store.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { refuseAnonymised } from './anonymised.ts';
import { documentErrors, documentsAfter, hasDocument } from './document-rules.ts';
import type { CustomerChanges } from './requests.ts';

/** Changes a customer; it tells nobody. Throws `InvalidBody` for one who is anonymised. Two round trips. */
export const updateCustomer = (db: StoreDb, id: number, changes: CustomerChanges) =>
  untilFresh(async () => {
    const before = await db.find(customers, id);
    if (!before) return undefined;
    refuseAnonymised(before.anonymized);
    const documents = documentsAfter(before, changes);
    refuseIf(documentErrors(documents, { isNeeded: hasDocument(before) }));
    const { type, cpf, cnpj } = before;
    const { id: key, anonymized, ...columns } = customers;
    const asRead = sql`exists (select 1 from ${customers} where ${and(
      eq(key, id),
      eq(anonymized, false),
      eq(columns.type, type),
      sql`${columns.cpf} is ${cpf}`,
      sql`${columns.cnpj} is ${cnpj}`,
    )})`;
    const results = await db.batch([
      db.must(asRead),
      db.change(customers, eq(key, id), { ...changes, ...documents }),
      db.selectOne(customers, id),
    ]);
    return lastOf(results)[0];
  });
