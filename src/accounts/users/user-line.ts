import type { ActionContext } from '../../data/audit/action.ts';

/** A line of the audit about a user. */
export const userLine = (
  { now, actor, from }: ActionContext,
  action: string,
  userId: number,
  reason?: string,
) => ({
  at: now,
  actor,
  from,
  action,
  target: { kind: 'user' as const, id: userId },
  ...(reason !== undefined && { reason }),
});
