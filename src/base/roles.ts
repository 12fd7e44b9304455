/**
 * `memberships.role`. An owner may do everything; a manager all but members, handing over, exporting and closing; a
 * viewer reads. `roleCovers` decides for operations, `web/page-roles.ts` for pages.
 */
export const memberRoles = ['owner', 'manager', 'viewer'] as const;

export type MemberRole = (typeof memberRoles)[number];
