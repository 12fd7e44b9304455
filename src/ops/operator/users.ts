import { deactivateUser, endSessions, reactivateUser } from '../../accounts/users/activate-user.ts';
import { createUser } from '../../accounts/users/create-user.ts';
import { eraseUser } from '../../accounts/users/erase-user.ts';
import { inactiveError, requireUser } from '../../accounts/users/find-user.ts';
import { revokeApiKey } from '../../accounts/users/manage-api-keys.ts';
import { makeOperator, revokeOperator } from '../../accounts/users/operators.ts';
import { sendPasswordReset } from '../../accounts/users/reset-password.ts';
import { notFound } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { findUserOverview, listUserOverviews } from '../../data/directory/user-overview.ts';
import { cursorPage } from '../../http/cursor-replies.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { ReasonRequest, userListQuery, UserRequest } from './requests.ts';
import {
  OperatedUserDetailsSchema,
  OperatedUserSchema,
  PasswordResetSchema,
} from './user-schema.ts';

/** The user as they are after an action. */
async function show(action: ActionContext, userId: number) {
  const user = await findUserOverview(action.directory, userId, action.now);
  if (!user) throw notFound();
  return user;
}

const idempotentNote = 'A repetition changes nothing.';

export const operatedUserOperations = [
  operation({
    id: 'listUsers',
    route: 'GET /operator/users',
    access: 'operator',
    query: userListQuery,
    reply: cursorPage(OperatedUserSchema),
    errors: [400],
    run: ({ action, query }) => listUserOverviews(action.directory, query),
  }),
  operation({
    id: 'createUser',
    route: 'POST /operator/users',
    access: 'operator',
    body: UserRequest,
    reply: data(201, OperatedUserDetailsSchema),
    errors: [409, 422],
    run: async ({ action, body }) => show(action, (await createUser(action, body)).user.id),
  }),
  operation({
    id: 'showUser',
    route: 'GET /operator/users/{id}',
    access: 'operator',
    reply: data(200, OperatedUserDetailsSchema),
    errors: [404],
    run: ({ action, ids }) => findUserOverview(action.directory, ids.id, action.now),
  }),
  operation({
    id: 'sendPasswordReset',
    route: 'POST /operator/users/{id}/password-resets',
    access: 'operator',
    body: ReasonRequest,
    reply: data(201, PasswordResetSchema),
    errors: [404, 409, 422],
    run: async ({ action, ids, body }) => {
      const user = await requireUser(action, ids.id);
      if (!user.active) throw inactiveError(user);
      await sendPasswordReset(action, { userId: user.id, ...body });
      return { user_id: user.id, sent_to: user.email };
    },
  }),
  operation({
    id: 'endSessions',
    route: 'POST /operator/users/{id}/end-sessions',
    access: 'operator',
    body: ReasonRequest,
    reply: data(200, OperatedUserDetailsSchema),
    errors: [404, 422],
    note: `Signs the user out of every browser. Password and API keys stay. ${idempotentNote}`,
    run: async ({ action, ids, body }) => {
      await endSessions(action, { userId: ids.id, ...body });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'revokeKey',
    route: 'POST /operator/users/{id}/keys/{key_id}/revoke',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, OperatedUserDetailsSchema),
    errors: [404, 422],
    note: `Ends one API key, such as one that leaked: within a minute everywhere. Its user gets a mail with the reason; their other keys go on. ${idempotentNote}`,
    run: async ({ action, ids, body }) => {
      await revokeApiKey(action, { userId: ids.id, id: ids.key_id, ...body });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'deactivateUser',
    route: 'POST /operator/users/{id}/deactivate',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, OperatedUserDetailsSchema),
    errors: [404, 409, 422],
    note: `Locks the user out: sessions and API keys end, and within a minute what they granted to apps. Their stores stay. ${idempotentNote} 409 (last_operator) for the only operator who can sign in.`,
    run: async ({ action, ids, body }) => {
      await deactivateUser(action, { userId: ids.id, ...body });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'eraseUser',
    route: 'POST /operator/users/{id}/erasures',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, OperatedUserDetailsSchema),
    errors: [404, 409, 422],
    note: `Erases all personal data of the user for ever, with credentials, memberships and mails. Their acts stay in the audit, without the name. ${idempotentNote} 409 (user_owns_stores) for the owner of a store or of an app that is not disabled, 409 (last_operator) for the only operator who can sign in.`,
    run: async ({ action, ids, body }) => {
      await eraseUser(action, { userId: ids.id, ...body });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'reactivateUser',
    route: 'POST /operator/users/{id}/reactivate',
    access: 'operator',
    body: ReasonRequest,
    reply: data(200, OperatedUserDetailsSchema),
    errors: [404, 409, 422],
    note: `The user may sign in again. Grants that have ended stay so. ${idempotentNote} 409 (user_erased) for a user whose data are erased.`,
    run: async ({ action, ids, body }) => {
      await reactivateUser(action, { userId: ids.id, ...body });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'makeOperator',
    route: 'POST /operator/users/{id}/make-operator',
    access: 'operator',
    body: ReasonRequest,
    reply: data(200, OperatedUserDetailsSchema),
    errors: [404, 409, 422],
    note: `The user and all operators get a mail. The user needs an API key made for operators. ${idempotentNote} 409 (user_inactive) for a user who is locked out, 409 (second_factor_missing) for one without two-step sign-in where operators must have it.`,
    run: async ({ action, ids, body }) => {
      await makeOperator(action, { userId: ids.id, ...body });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'revokeOperator',
    route: 'POST /operator/users/{id}/revoke-operator',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, OperatedUserDetailsSchema),
    errors: [404, 409, 422],
    note: `Their keys for operators count no more. ${idempotentNote} 409 (last_operator) for the only one who can sign in.`,
    run: async ({ action, ids, body }) => {
      await revokeOperator(action, { userId: ids.id, ...body });
      return show(action, ids.id);
    },
  }),
];

/* @__PURE__ */ explainOperations({
  listUsers:
    'Newest first. With state or search a page scans 1,000 users, so it may hold few or none although there is a next page.',
  createUser:
    'The user gets an invitation by mail, and sets a password with it. Until then a repetition changes nothing. 409 (email_taken) for the address of another user.',
  sendPasswordReset:
    'Sends a link that sets a new password and works once, for 30 minutes. Nothing ends until it is used. 409 (user_inactive) for a user who is locked out.',
});
