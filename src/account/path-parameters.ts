import { pathId } from '../codecs/fields/ids.ts';
import type { ManagedStore } from '../db/directory/sessions.ts';
import { notFound } from '../errors.ts';
import type { PageContext } from '../session/pages/user-pages.ts';

/** Returns the user's store with this alias. Throws 404 when the user is not a member of it at this moment. */
export function requireManagedStore(
  { session }: PageContext,
  alias: string | undefined,
): ManagedStore {
  const store = session.stores.find((candidate) => candidate.alias === alias);
  if (!store) throw notFound();
  return store;
}

/** Parses a positive whole number from the path or the query. Throws 404 for anything else. */
export function parsePathNumber(text: string | undefined): number {
  const parsed = pathId.safeParse(text);
  if (!parsed.success) throw notFound();
  return parsed.data;
}
