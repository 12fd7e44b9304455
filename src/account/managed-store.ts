import type { ManagedStore } from '../db/sessions.ts';
import { notFound } from '../problem.ts';
import type { Here } from '../session/signed-in.ts';

/** The store of an alias. Throws 404 for one that whoever is signed in does not manage now. */
export function managedStore({ person }: Here, alias: string | undefined): ManagedStore {
  const store = person.stores.find((one) => one.alias === alias);
  if (!store) throw notFound();
  return store;
}
