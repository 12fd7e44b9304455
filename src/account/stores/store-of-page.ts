import type { ManagedStore } from '../../db/directory/sessions.ts';
import { notFound } from '../../errors.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';

/** The store of `:alias`, which `mountUserPages` found for a page with a `role`. */
export function storeOfPage({ store }: PageContext): ManagedStore {
  if (!store) throw notFound();
  return store;
}
