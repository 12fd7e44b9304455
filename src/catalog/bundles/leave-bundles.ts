import { inArray, sql, type SQL } from 'drizzle-orm';
import type { StoreDb } from '../../data/core/store-db.ts';
import { bundleItems, bundles } from '../../data/schema/store/product-extras-tables.ts';

/**
 * Removes SKUs from their bundles before the SKUs themselves are deleted. A bundle that has no
 * items afterwards becomes inactive. `leaving` is a subquery of SKU ids.
 */
export const removeFromBundlesStatements = (db: StoreDb, leaving: SQL) => [
  db.updateStatement(
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
  db.deleteStatement(bundleItems, inArray(bundleItems.sku_id, leaving)),
];
