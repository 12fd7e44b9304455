import { inArray, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { bundleItems, bundles } from './schema/bundles.ts';
import type { StoreDb } from './store.ts';

/**
 * Takes SKUs out of their kits, before the SKUs themselves are removed; a kit without items becomes inactive
 * (contract 3.3). `leaving` is a subquery of SKU ids.
 */
export const leaveKits = (db: StoreDb, leaving: SQL) => [
  db.change(
    bundles,
    inArray(
      bundles.id,
      sql`(select ${bundleItems.bundle_id} from ${bundleItems} where ${bundleItems.sku_id} in ${leaving})`,
    ),
    {},
    {
      active: sql`${bundles.active} and exists (select 1 from ${bundleItems}
        where ${bundleItems.bundle_id} = ${bundles.id} and ${bundleItems.sku_id} not in ${leaving})`,
    },
  ),
  db.removal(bundleItems, inArray(bundleItems.sku_id, leaving)),
];
