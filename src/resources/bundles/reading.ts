import { eq } from 'drizzle-orm';
import { many } from '../../db/relations.ts';
import { bundleItems, bundles } from '../../db/schema/store.ts';
import type { Store } from '../../db/store.ts';

/** The items of a kit, read in the same statement; a kit has at most as many as a relation shows. */
export const withItems = { items: many(bundleItems, eq(bundleItems.bundle_id, bundles.id)) };

/** Adds the address at which the shop sells a kit. */
export const present = <B extends { id: number }>(store: Store, bundle: B) => ({
  ...bundle,
  purchase_url: `${store.base_url}/bundles/${bundle.id}`,
});
