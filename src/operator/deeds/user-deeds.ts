import { sendPasswordReset } from '../../people/passwords/reset.ts';
import { deactivateUser, endSessions, reactivateUser } from '../../people/users/activate.ts';
import { eraseUser } from '../../people/users/erase-user.ts';
import { requireUser } from '../../people/users/find-user.ts';
import { makeOperator, unmakeOperator } from '../../people/users/operators.ts';
import type { PageDeed } from './page-deed.ts';

/** What an operator does to a user. */
export const userDeeds: readonly PageDeed[] = [
  {
    segment: 'password-reset',
    text: 'reset',
    endsSomething: false,
    run: async (deed, userId) => {
      const { active } = await requireUser(deed, userId);
      if (!active) return 'user_inactive';
      await sendPasswordReset(deed, { userId });
      return undefined;
    },
  },
  {
    segment: 'end-sessions',
    text: 'endSessions',
    endsSomething: true,
    run: async (deed, userId, { reason = '' }) => {
      await endSessions(deed, { userId, reason });
    },
  },
  {
    segment: 'make-operator',
    text: 'makeOperator',
    endsSomething: true,
    run: async (deed, userId, { reason = '' }) => {
      await makeOperator(deed, { userId, reason });
    },
  },
  {
    segment: 'unmake-operator',
    text: 'unmakeOperator',
    endsSomething: true,
    isDangerous: true,
    run: async (deed, userId, { reason = '' }) => {
      await unmakeOperator(deed, { userId, reason });
    },
  },
  {
    segment: 'deactivate',
    text: 'lockOut',
    endsSomething: true,
    isDangerous: true,
    run: async (deed, userId, { reason = '' }) => {
      await deactivateUser(deed, { userId, reason });
    },
  },
  {
    segment: 'erase',
    text: 'eraseUser',
    endsSomething: true,
    isDangerous: true,
    run: async (deed, userId, { reason = '' }) => {
      await eraseUser(deed, { userId, reason });
    },
  },
  {
    segment: 'reactivate',
    text: 'letIn',
    endsSomething: false,
    run: async (deed, userId) => {
      await reactivateUser(deed, { userId });
    },
  },
];

/** The deeds that the state of a user allows. */
export function deedsOfUser({ isActive, isOperator }: { isActive: boolean; isOperator: boolean }) {
  const left = new Set([
    isOperator ? 'make-operator' : 'unmake-operator',
    ...(isActive
      ? ['reactivate']
      : ['deactivate', 'password-reset', 'end-sessions', 'make-operator']),
  ]);
  return userDeeds.filter(({ segment }) => !left.has(segment));
}
