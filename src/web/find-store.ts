import { findStoreOfFormerAlias } from '../data/directory/stores.ts';
import type { PublicPage } from './page.ts';

/** The one of these stores that had the alias until lately. One round trip. */
export async function findByFormerAlias<S extends { id: number }>(
  { directory, now }: PublicPage,
  stores: readonly S[],
  alias: string,
): Promise<S | undefined> {
  if (stores.length === 0) return undefined;
  const id = await findStoreOfFormerAlias(directory, alias, now);
  return stores.find((store) => store.id === id);
}
