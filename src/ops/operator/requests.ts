import * as z from 'zod';
import { newUserFields } from '../../accounts/users/create-user.ts';
import { addIssue } from '../../base/codecs/field-messages.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { bool, int } from '../../base/codecs/fields/scalars.ts';
import { email } from '../../base/codecs/fields/string-formats.ts';
import { asStored, choice, cleanedCode, line } from '../../base/codecs/fields/text.ts';
import { toAddress } from '../../base/codecs/listing/field-types.ts';
import { explainEnum, explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { readHost } from '../../base/hosts.ts';
import { languages, languageOf } from '../../base/languages.ts';
import { assignableRoles } from '../../base/roles.ts';
import { storeStates } from '../../data/directory/store-overview.ts';
import { userStates } from '../../data/directory/user-overview.ts';
import {
  cursorFields,
  cursorParameters,
  defineQuery,
  singleValue,
  storedValue,
} from '../../http/query-parameters.ts';
import { newAlias, newStoreFields } from '../../stores/store-input.ts';
import { OperatedStoreSchema } from './store-schema.ts';
import { OperatedUserSchema } from './user-schema.ts';

/** The languages of mails. */
const language = cleanedCode(
  { enum: [...languages] },
  (tag, context) => languageOf(tag) ?? addIssue(context, `Must be one of ${languages.join(', ')}.`),
).describe('Of the mail, unless the user has chosen one.');

/** The reason of an action: the audit keeps it, and the users concerned may read it. */
export const reason = line(500).describe('Why: the audit keeps it, and mails and pages show it.');

/** The body of most actions: a change needs a reason, whether it takes or gives. */
export const ReasonRequest = requestBodies({ required: { reason } }).post;

/* @__PURE__ */ explainBody(ReasonRequest, {
  ReasonInput: 'Why an operator does this. Those concerned can read it in their activity.',
});

/** The body of an erasure. */
export const ErasureRequest = requestBodies({
  required: { reason },
  optional: {
    immediately: [
      bool.describe(
        'Whether to erase a store that has not been closed for 30 days, after a confirmation.',
      ),
      false,
    ],
  },
}).post;

/* @__PURE__ */ explainBody(ErasureRequest, {
  EraseStoreInput: 'Why all data go for good, and whether that happens before its 30 days.',
});

export const UserRequest = requestBodies({
  required: { ...newUserFields, reason },
  optional: { language: [language, 'en'] },
}).post;

/* @__PURE__ */ explainBody(UserRequest, OperatedUserSchema, {
  UserInput: 'A person who gets a mail to choose a password with.',
});

export const StoreRequest = requestBodies({
  required: { ...newStoreFields, reason },
  optional: { language: [language, 'en'], test: [bool, false] },
}).post;

/* @__PURE__ */ explainBody(StoreRequest, OperatedStoreSchema, {
  StoreInput: 'A new shop, and who owns it: a user who is there, or one who is invited by this.',
});

const budget = orNull(int(1_000_000, 1_000_000_000_000)).describe(
  'Bytes of events and stored responses of a day (UTC); without it, those of the service.',
);

const perMinute = orNull(int(1_000, 100_000)).describe(
  'Requests of all its callers in a minute; without it, those of the service.',
);

export const StoreLimitsRequest = requestBodies({
  required: { reason },
  optional: { event_budget: [budget, null], requests_per_minute: [perMinute, null] },
}).post;

/* @__PURE__ */ explainBody(StoreLimitsRequest, {
  SetStoreLimitsInput: 'The bytes and requests that the store may have, and why.',
});

export const RenameRequest = requestBodies({ required: { alias: newAlias, reason } }).post;

/* @__PURE__ */ explainBody(RenameRequest, OperatedStoreSchema, {
  RenameStoreInput: 'The new name of a store in paths, and why it changes.',
});

export const MemberRequest = requestBodies({
  required: {
    email: email.describe('Who is invited.'),
    role: choice(assignableRoles).describe('What they may do in the store.'),
    reason,
  },
  optional: { language: [language, 'en'] },
}).post;

/* @__PURE__ */ explainBody(MemberRequest, {
  InviteMemberInput: 'Who gets a mail with a link into the store, and as what.',
});

const textParameter = (name: string, description: string) => ({
  name,
  description,
  schema: { type: 'string' as const },
});

const stateParameter = (values: readonly string[]) => ({
  name: 'state',
  description: `One of ${values.join(', ')}.`,
  schema: { type: 'string' as const, enum: [...values] },
});

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `Must be one of ${values.join(', ')}.` }).optional();

const search = textParameter('search', 'Part of the name, or of what it is called by.');

const sentAddress = singleValue.transform((text) => asStored(email, toAddress(text)));

export const storeListQuery = defineQuery(
  z.object({
    ...cursorFields,
    alias: storedValue(newAlias).optional(),
    owner: sentAddress.optional(),
    state: oneOf(storeStates),
    search: singleValue.optional(),
  }),
  [
    ...cursorParameters,
    textParameter(
      'alias',
      'Only the store that paths call so, now or before it was renamed; the whole word.',
    ),
    textParameter('owner', 'Stores of the user with this address.'),
    stateParameter(storeStates),
    search,
  ],
);

export const userListQuery = defineQuery(
  z.object({
    ...cursorFields,
    email: sentAddress.optional(),
    state: oneOf(userStates),
    operator: bool.optional(),
    search: singleValue.optional(),
  }),
  [
    ...cursorParameters,
    textParameter('email', 'The user with this address.'),
    stateParameter(userStates),
    {
      name: 'operator',
      description: 'Only operators, or only others.',
      schema: { type: 'boolean' },
    },
    search,
  ],
);

const appStates = ['draft', 'published', 'disabled'] as const;

export const appListQuery = defineQuery(
  z.object({
    ...cursorFields,
    client_id: singleValue.optional(),
    state: oneOf(appStates),
    search: singleValue.optional(),
  }),
  [
    ...cursorParameters,
    textParameter('client_id', 'Only the app that OAuth requests call so.'),
    stateParameter(appStates),
    search,
  ],
);

/**
 * A public host, as assistants come from one: no address of a network, and no program of a device.
 */
const hostMessage = 'Must be the name of a host, such as bad.example.';
const publicHost = cleanedCode(
  { minLength: 1, maxLength: 253, examples: ['bad.example'] },
  (value, context) => {
    const name = readHost(value) ?? '';
    const isName = z.hostname().max(253).safeParse(name).success && /\.[a-z][a-z0-9-]*$/.test(name);
    return isName ? name : addIssue(context, hostMessage);
  },
);

export const HostRequest = requestBodies({
  required: {
    host: publicHost.describe(
      'As consent and Connected apps show it; names below it are blocked, too.',
    ),
    reason,
  },
}).post;

/* @__PURE__ */ explainBody(HostRequest, {
  BlockHostInput: 'The host whose assistants lose all stores, and why.',
});

export const hostListQuery = defineQuery(
  z.object({ ...cursorFields, host: storedValue(publicHost).optional() }),
  [...cursorParameters, textParameter('host', 'Only this host; the whole word.')],
);

/* @__PURE__ */ explainEnum('UserLanguage', 'The language of mails.', {
  en: 'English.',
  'pt-BR': 'Brazilian Portuguese.',
  es: 'Spanish.',
});

/* @__PURE__ */ explainEnum('InvitedRole', 'What a new member may do in the store.', {
  manager: 'All but members, handing over and closing.',
  viewer: 'Read, and nothing else.',
});
