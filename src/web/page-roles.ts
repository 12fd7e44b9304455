import { notFound, RoleError } from '../base/errors.ts';
import type { ManagedStore, UserSession } from '../data/directory/sessions.ts';

export type MemberRole = ManagedStore['role'];

const ranks: Readonly<Record<MemberRole, number>> = { viewer: 0, manager: 1, owner: 2 };

/** Whether a role includes the rights of another one. */
export const includesRole = (role: MemberRole, wanted: MemberRole) => ranks[role] >= ranks[wanted];

/**
 * Checks that the user of a session may open a page or submit its form, and returns the store of the path. Throws a
 * 404 for an operators' page and a store that the user does not belong to. Throws a 403 when the role is not enough.
 */
export function assertMayOpen(
  {
    isForOperators = false,
    opensInactive = false,
  }: { isForOperators?: boolean; opensInactive?: boolean },
  { user, stores, lockedStores, inactiveStores }: UserSession,
  alias: string | undefined,
  wanted: MemberRole | undefined,
): ManagedStore | undefined {
  if (isForOperators && !user.isOperator) throw notFound();
  if (!wanted) return undefined;
  const candidates = [...stores, ...lockedStores, ...(opensInactive ? inactiveStores : [])];
  const store = candidates.find((candidate) => candidate.alias === alias);
  if (!store) throw notFound();
  if (!includesRole(store.role, wanted)) throw new RoleError(wanted);
  return store;
}
