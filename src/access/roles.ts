import type { MemberRole } from '../db/directory/members.ts';
import type { Scope } from './scopes.ts';

/** Whether a member of a store may do what a scope opens: a viewer only reads. */
export const roleCovers = (role: MemberRole, scope: Scope): boolean =>
  role !== 'viewer' || scope.endsWith('.read');
