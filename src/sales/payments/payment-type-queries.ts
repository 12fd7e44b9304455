import { sql } from 'drizzle-orm';
import { foldText } from '../../base/codecs/fields/normalize-text.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import {
  affiliations,
  type paymentAliases,
  paymentConfigurations,
  payments,
} from '../../data/schema/store/payments-tables.ts';

const paymentTypeNames: Record<(typeof paymentAliases)[number], string> = {
  credit_card: 'Cartão de crédito',
  pix: 'Pix',
  pix_in_installments: 'Pix parcelado',
  billet: 'Boleto',
  deposit: 'Depósito',
  wallet: 'Carteira digital',
};

/**
 * Inserts the records that every store starts with: the six payment types with an inactive
 * configuration each, and one affiliation with the gateway `manual`. Existing records stay. One
 * round trip.
 */
export async function insertMissingPaymentTypes(db: StoreDb): Promise<void> {
  const { store, now } = db;
  const types = Object.entries(paymentTypeNames).map(([alias, name]) => ({
    alias,
    name,
    folded: foldText(name),
  }));
  await db.batch([
    rawStatement(
      db,
      sql`insert into ${affiliations} (store_id, name, active, backup, auto_capture, capture_hour_delay,
          force_minimum_tax, status, auth_type, gateways, created_at, updated_at)
        select ${store.id}, 'Manual', 1, 0, 1, 24, 0, 'active', 'none', '["manual"]', ${now}, ${now}
        where not exists (select 1 from ${affiliations} where store_id = ${store.id})`,
    ),
    rawStatement(
      db,
      sql`insert into ${payments} (store_id, alias, name, name_folded, created_at, updated_at)
        select ${store.id}, value ->> '$.alias', value ->> '$.name', value ->> '$.folded', ${now}, ${now}
        from json_each(${JSON.stringify(types)}) where true on conflict do nothing`,
    ),
    rawStatement(
      db,
      sql`insert into ${paymentConfigurations} (store_id, payment_id, created_at, updated_at)
        select store_id, id, ${now}, ${now} from ${payments} where store_id = ${store.id}
        on conflict do nothing`,
    ),
  ]);
}
