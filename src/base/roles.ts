/**
 * `memberships.role`. An owner may do everything; a manager all but members, handing over,
 * exporting and closing; a viewer reads. `roleCovers` decides for operations, `assertMayOpen` in
 * `web/user-pages.tsx` for pages.
 */
export const Role = { owner: 'owner', manager: 'manager', viewer: 'viewer' } as const;

export type MemberRole = (typeof Role)[keyof typeof Role];

/** All roles, from the most rights to the fewest. */
export const memberRoles = [Role.owner, Role.manager, Role.viewer] as const;

/** The roles that a member can be given. A store gets another owner only when it is handed over. */
export const assignableRoles = [Role.manager, Role.viewer] as const;

export type AssignableRole = (typeof assignableRoles)[number];

/** Whether a role includes the rights of another one. */
export const includesRole = (role: MemberRole, wanted: MemberRole) =>
  memberRoles.indexOf(role) <= memberRoles.indexOf(wanted);
