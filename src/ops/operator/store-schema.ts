import * as z from 'zod';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { storeStates } from '../../data/directory/store-overview.ts';
import { userStates } from '../../data/directory/user-overview.ts';
import { closers } from '../../data/schema/directory/directory-tables.ts';

export const OperatedStoreSchema = z
  .object({
    id: idOutput,
    alias: z.string(),
    name: z.string(),
    timezone: z.string(),
    state: z.enum(storeStates),
    inactive_reason: z.string().nullable(),
    inactive_since: dateTime.nullable(),
    closed_by: z.enum(closers).nullable(),
    closed_at: dateTime.nullable(),
    locked_at: dateTime.nullable(),
    lock_reason: z.string().nullable(),
    erase_at: dateTime.nullable(),
    test: boolOutput,
    mfa_required: boolOutput,
    event_budget: z.int().nullable(),
    requests_per_minute: z.int().nullable(),
    shard: z.int(),
    owner_id: z.int(),
    owner_name: z.string(),
    owner_email: z.string(),
    owner_state: z.enum(userStates),
    created_at: dateTime,
  })
  .meta({ id: 'OperatedStore' });

const meanings = {
  alias: 'Name of the store in paths.',
  name: 'Name that people see.',
  timezone: 'IANA time zone in which its times are shown.',
  state:
    'active; deactivated by an operator; closed by its owner or an operator; or erased, which is for ever. A closed store may be locked as well.',
  inactive_reason: 'Why it is not active; null while it is.',
  inactive_since: 'Since when it is not active; null while it is.',
  closed_by: 'Who closed it: an owner opens only what an owner closed; null unless it is closed.',
  closed_at: 'Since when it is closed; null while it is not.',
  locked_at: 'Since when an operator has deactivated it; null otherwise.',
  lock_reason: 'Why an operator deactivated it; null otherwise.',
  erase_at: 'When its data are erased; null if that is not planned.',
  test: 'Whether its payments are simulated.',
  mfa_required: 'Whether all members must use two-step sign-in.',
  event_budget: 'Bytes of events a day; null for those of the service.',
  requests_per_minute: 'Requests a minute; null for those of the service.',
  shard: 'Number of its database.',
  owner_id: 'User who owns the store.',
  owner_name: 'What the owner is called.',
  owner_email: 'Where mails to the person who owns the store go.',
  owner_state:
    'active; invited, who has not chosen a password yet; or inactive, whom an operator locked out.',
  created_at: 'When the store was made.',
};

/* @__PURE__ */ explain(OperatedStoreSchema, 'A store as operators see it.', meanings);

const MemberSchema = z
  .object({
    user_id: z.int(),
    name: z.string(),
    email: z.string(),
    role: z.string(),
    mfa_enabled: boolOutput,
    last_login_at: dateTime.nullable(),
    created_at: dateTime,
  })
  .meta({ id: 'OperatedMember' });

/* @__PURE__ */ explain(MemberSchema, 'A member of a store as operators see them.', {
  user_id: 'Who it is: their number as a user of the service.',
  name: 'What other members and mails call them.',
  email: 'Address of the user.',
  role: 'owner, manager or viewer.',
  mfa_enabled: 'Whether the user has two-step sign-in.',
  last_login_at: 'When the user last signed in; null if never.',
  created_at: 'Since when the user is a member.',
});

const FormerAliasSchema = z
  .object({ alias: z.string(), left_at: dateTime })
  .meta({ id: 'FormerAlias' });

/* @__PURE__ */ explain(FormerAliasSchema, 'An alias that a store had before it was renamed.', {
  alias: 'Name that the store had in paths.',
  left_at: 'When the store got another. For a year from then on, this one leads to it.',
});

/** {@link OperatedStoreSchema} with its members and former aliases. */
export const OperatedStoreDetailsSchema = OperatedStoreSchema.extend({
  members: z.array(MemberSchema),
  former_aliases: z.array(FormerAliasSchema),
}).meta({ id: 'OperatedStoreDetails' });

/* @__PURE__ */ explain(
  OperatedStoreDetailsSchema,
  'A store with its members, as operators see it.',
  meanings,
  {
    members: 'The first 200 members, owner first.',
    former_aliases: 'The aliases that it left, the latest first. No other store ever gets one.',
  },
);

/* @__PURE__ */ explainEnum('StoreState', 'Whether a store is in service.', {
  active: 'In service.',
  deactivated: 'Taken out of service by an operator; nothing is lost.',
  closed: 'Closed by its owner or an operator; its data are erased at erase_at.',
  erased: 'Its data are gone, and its alias is free again.',
});

/* @__PURE__ */ explainEnum('StoreCloser', 'Who closed a store, and so who opens it again.', {
  owner: 'Its owner: the owner and operators open it again.',
  operator: 'An operator: only operators open it again.',
});
