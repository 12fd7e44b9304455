import * as z from 'zod';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { userStates } from '../../data/directory/user-overview.ts';

export const OperatedUserSchema = z
  .object({
    id: idOutput,
    name: z.string(),
    email: z.string(),
    language: z.string().nullable(),
    state: z.enum(userStates),
    operator: boolOutput,
    mfa_enabled: boolOutput,
    last_login_at: dateTime.nullable(),
    created_at: dateTime,
  })
  .meta({ id: 'OperatedUser' });

const meanings = {
  name: 'What members and mails call them.',
  email: 'Address that the user signs in with.',
  language: 'Language of mails as en, pt-BR or es; null if the user has chosen none.',
  state: 'active; invited, which is without a password yet; or inactive, which is locked out.',
  operator: 'Whether the user is an operator of the service.',
  mfa_enabled: 'Whether the user has two-step sign-in.',
  last_login_at: 'When the user last signed in; null if never.',
  created_at: 'When the user was made.',
};

/* @__PURE__ */ explain(OperatedUserSchema, 'A user as operators see them.', meanings);

const MembershipSchema = z
  .object({
    store_id: z.int(),
    alias: z.string(),
    name: z.string(),
    role: z.string(),
    active: boolOutput,
  })
  .meta({ id: 'OperatedMembership' });

/* @__PURE__ */ explain(MembershipSchema, 'A store that a user is a member of.', {
  store_id: 'Its number, for GET /operator/stores/{id}.',
  alias: 'Its name in paths.',
  name: 'Its name that people see.',
  role: 'owner, manager or viewer.',
  active: 'Whether the store is active.',
});

const KeySchema = z
  .object({
    id: idOutput,
    name: z.string(),
    last_four: z.string(),
    created_at: dateTime,
    last_used_at: dateTime.nullable(),
  })
  .meta({ id: 'OperatedKey' });

/* @__PURE__ */ explain(
  KeySchema,
  'An API key of a user that works. No part of it that opens anything is shown.',
  {
    name: 'What its user calls it.',
    last_four: 'The end of its secret, by which a leaked key is known again.',
    created_at: 'When it was made.',
    last_used_at: 'When it was last used, to the hour; null if never.',
  },
);

/** {@link OperatedUserSchema} with stores, keys and sessions. */
export const OperatedUserDetailsSchema = OperatedUserSchema.extend({
  sessions: z.int(),
  stores: z.array(MembershipSchema),
  keys: z.array(KeySchema),
}).meta({ id: 'OperatedUserDetails' });

/* @__PURE__ */ explain(
  OperatedUserDetailsSchema,
  'A user with their stores, as operators see them.',
  meanings,
  {
    sessions: 'Browsers that are signed in.',
    stores: 'The first 200 stores of the user, by alias.',
    keys: 'API keys that are neither revoked nor expired, newest first; see POST /operator/users/{id}/keys/{key_id}/revoke.',
  },
);

/** A mail that an operator requested. */
export const PasswordResetSchema = z
  .object({ user_id: z.int(), sent_to: z.string() })
  .meta({ id: 'PasswordReset' });

/* @__PURE__ */ explain(PasswordResetSchema, 'A link that sets a new password, sent by mail.', {
  user_id: 'The user who gets it.',
  sent_to: 'The address that it goes to.',
});

/* @__PURE__ */ explainEnum('UserState', 'Whether a user can sign in.', {
  active: 'Has a password.',
  invited: 'Has no password yet; the invitation sets one.',
  inactive: 'Locked out by an operator.',
  erased: 'The personal data are erased for ever, and nothing more can be done.',
});
