import * as z from 'zod';
import { addIssue } from '../base/codecs/field-messages.ts';
import { dateTime } from '../base/codecs/fields/date-time.ts';
import { readDateTime } from '../base/codecs/fields/read-date-time.ts';
import { currentZone } from '../base/codecs/fields/zone.ts';
import { flatJson, type FlatJson } from '../base/codecs/flat-json.ts';
import { explainEnum, explain } from '../base/codecs/meaning.ts';
import { writtenOutside } from '../base/codecs/written-outside.ts';
import { auditTargetKinds } from '../data/audit/action.ts';
import { listActivity } from '../data/audit/list-audit.ts';
import {
  formatPlace,
  parsePlace,
  type AuditPlace,
  type AuditQuery,
  changesOf,
  withoutAddresses,
  type PlacedRow,
} from '../data/audit/window.ts';
import { nameCaller } from '../http/access/log-request.ts';
import { maySee, restrictedTo } from '../http/access/restricted-fields.ts';
import { cursorPage } from '../http/cursor-replies.ts';
import { explainOperations, operation } from '../http/operation.ts';
import {
  cursorFields,
  cursorParameters,
  defineQuery,
  limitField,
  limitParameter,
  singleValue,
} from '../http/query-parameters.ts';

const nullableText = z.string().nullable();

const LoggedRequestSchema = z
  .object({
    id: z.int(),
    at: dateTime,
    method: z.string(),
    operation: z.string(),
    status: z.int(),
    code: nullableText,
    duration_ms: z.int(),
    request_id: z.string(),
    sent: z.array(z.string()),
    one_in: z.int(),
  })
  .meta({ id: 'LoggedRequest' });

/* @__PURE__ */ explain(
  LoggedRequestSchema,
  'A request that the caller sent, without what it sent.',
  {
    id: 'Identifies the entry. A later request has a larger one.',
    at: 'When the service answered.',
    method: 'HTTP method, such as GET.',
    operation: 'Operation id of this document; empty where the path has none.',
    status: 'HTTP status of the answer.',
    code: 'Code of the error; null without one.',
    duration_ms: 'How many milliseconds the service took.',
    request_id: 'X-Request-Id of the answer.',
    sent: 'Names of the parameters (with a question mark) and of the fields; never their values, and no name that the operation does not declare.',
    one_in:
      '1 if every such request is here. Of successes, and of very many failures, one in so many is.',
  },
);

const requestQuery = defineQuery(
  z.object({
    ...cursorFields,
    operation: singleValue.optional(),
    status: singleValue
      .refine((text) => /^[1-5](?:\d\d)?$/.test(text), {
        error: 'Must be a status such as 404, or its first digit.',
      })
      .transform(Number)
      .optional(),
  }),
  [
    ...cursorParameters,
    {
      name: 'operation',
      description: 'Only what called createBrand, for instance: an operationId of this document.',
      schema: { type: 'string' },
    },
    {
      name: 'status',
      description: 'Requests with this status, or with this first digit of it.',
      schema: { type: 'string', pattern: '^[1-5](?:[0-9][0-9])?$' },
    },
  ],
);

/** The kinds of actors. */
const actorKinds = ['user', 'operator', 'api_key', 'app', 'system'] as const;

const ActorSchema = z
  .object({ kind: z.enum(actorKinds), id: z.string(), name: writtenOutside(z.string()) })
  .meta({ id: 'AuditActor' });

/* @__PURE__ */ explain(ActorSchema, 'Who did it.', {
  kind: 'user: on the pages; operator: who runs the service; api_key and app: a program; system: the service itself. A name may imitate another kind; this does not.',
  id: 'Which one: the number of the user or the key, or the client id of the app.',
  name: 'Name of it, as it was called then; of an app, as it is called now. In a store, operators are called the service.',
});

const TargetSchema = z
  .object({ kind: z.enum(auditTargetKinds), id: z.string() })
  .meta({ id: 'AuditTarget' });

/* @__PURE__ */ explain(TargetSchema, 'What was changed.', {
  kind: 'Kind of thing. Kinds are added in time.',
  id: 'Which one of its kind: for an app its client id, for a payment method its alias, for a change of many records nothing.',
});

const FromSchema = z
  .object({ country: nullableText, network: nullableText })
  .meta({ id: 'AuditOrigin' });

/* @__PURE__ */ explain(FromSchema, 'Where the request came from.', {
  country: 'Country of the address, ISO 3166-1 alpha-2; null if unknown.',
  network: 'Network of the address, which names no device; null if unknown.',
});

/** One entry of an audit. */
export const AuditEntrySchema = z
  .object({
    id: z.string(),
    at: dateTime,
    actor: ActorSchema,
    action: z.string(),
    target: TargetSchema,
    reason: nullableText,
    changes: writtenOutside(z.record(z.string(), z.array(flatJson).length(2))),
    from: restrictedTo('api-key', FromSchema.nullable()),
  })
  .meta({ id: 'AuditEntry' });

/* @__PURE__ */ explain(AuditEntrySchema, 'Who changed what, when, and from where.', {
  id: 'Identifies the line; it never changes.',
  at: 'When it happened.',
  actor: 'Who did it.',
  action:
    'What was done, such as webhook.created; by an assistant, the operation that it called, such as createBrand. Actions are added in time.',
  target: 'What was changed.',
  reason: 'Why, in the words of who did it; null without.',
  changes: 'Value before and after, by field. Of a secret it says only that it changed.',
  from: 'Where the request came from; null for an app, an API key with chosen scopes, and an operator.',
});

/** The name of operators in the activity of a store: it does not learn who they are. */
const serviceName = 'The service';

/** Who reads the activity of a store, as far as it decides what they see. */
interface Reader {
  /** The addresses of people. */
  seesPeople: boolean;
}

/** Converts a line of the activity of a store to an entry. */
function serializeStoreRow(
  row: PlacedRow,
  { seesPeople }: Reader,
): z.input<typeof AuditEntrySchema> {
  const entry = serializeAuditRow(row);
  const isOperator = row.actor_kind === 'operator';
  return {
    ...entry,
    actor: isOperator ? { ...entry.actor, name: serviceName } : entry.actor,
    changes: seesPeople ? entry.changes : toChanges(withoutAddresses(changesOf(row))),
    from: isOperator ? null : entry.from,
  };
}

/** Converts changes to their form in an entry. */
const toChanges = (changes: ReturnType<typeof changesOf>) =>
  Object.fromEntries(
    // The changes that the audit stores are one level deep.
    Object.entries(changes).map(([name, pair]) => [name, [...pair] as FlatJson[]]),
  );

/** Converts a line of the audit to an entry. */
export const serializeAuditRow = (row: PlacedRow): z.input<typeof AuditEntrySchema> => ({
  id: `${row.source}${row.id}`,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  target: { kind: row.target_kind, id: row.target_id },
  reason: row.reason,
  changes: toChanges(changesOf(row)),
  from: { country: row.country, network: row.network },
});

/** In a query, a plus sign that was not written as %2B arrives as a blank. */
const lostPlus = /(?<=:\d\d(?:[.,]\d+)?) (?=\d\d(?::?\d\d)?(?:\[|$))/;

const moment = singleValue.transform((text, context): number => {
  const read = readDateTime(text.replace(lostPlus, '+'), currentZone());
  return typeof read === 'number' ? read : addIssue(context, read);
});

const place = singleValue.transform((text, context): AuditPlace => {
  const found = parsePlace(text);
  return found ?? addIssue(context, 'Must be meta.cursor.next of the previous page.');
});

const text = (name: string, description: string) => ({
  name,
  description,
  schema: { type: 'string' },
});

/** The query of a list of audit entries. */
export const auditQuery = defineQuery(
  z
    .object({
      limit: limitField,
      cursor: place.optional(),
      actor_kind: z
        .enum(actorKinds, { error: `Must be one of ${actorKinds.join(', ')}.` })
        .optional(),
      actor_id: singleValue.optional(),
      kind: z
        .enum(auditTargetKinds, { error: `Must be one of ${auditTargetKinds.join(', ')}.` })
        .optional(),
      action: singleValue.optional(),
      from: moment.optional(),
      to: moment.optional(),
    })
    .transform(({ cursor, actor_kind, actor_id, ...query }): AuditQuery => ({
      ...query,
      after: cursor,
      actorKind: actor_kind,
      actorId: actor_id,
    })),
  [
    limitParameter('Entries'),
    text('cursor', 'meta.cursor.next of the previous page.'),
    {
      name: 'actor_kind',
      description:
        'Entries by actors of this kind. An assistant is an api_key or an app, by how it connected.',
      schema: { type: 'string', enum: actorKinds },
    },
    text('actor_id', 'Entries by the actor with this id.'),
    {
      name: 'kind',
      description: 'Entries about targets of this kind.',
      schema: { type: 'string', enum: auditTargetKinds },
    },
    text('action', 'Entries with this action, such as webhook.created.'),
    {
      ...text('from', 'Entries from this time on: ISO 8601, or local time of the store.'),
      schema: { type: 'string', format: 'date-time' },
    },
    {
      ...text('to', 'Entries before this time: ISO 8601, or local time of the store.'),
      schema: { type: 'string', format: 'date-time' },
    },
  ],
);

export const activityOperations = [
  operation({
    id: 'listActivity',
    route: 'GET /{alias}/audit',
    access: 'config.read',
    query: auditQuery,
    reply: cursorPage(AuditEntrySchema),
    errors: [400],
    run: async ({ db, activity, query, principal }) => {
      const { rows, next } = await listActivity(db, activity(), query);
      // Viewers write nothing, whatever their key.
      const reader = {
        seesPeople: maySee(principal, 'api-key') && principal.hasScope('config.write'),
      };
      return {
        rows: rows.map((row) => serializeStoreRow(row, reader)),
        next: next ? formatPlace(next) : null,
      };
    },
  }),
  operation({
    id: 'listRequests',
    route: 'GET /{alias}/requests',
    access: 'signed-in',
    query: requestQuery,
    reply: cursorPage(LoggedRequestSchema),
    errors: [400],
    run: async ({ activity, db, principal, query: { cursor, ...query } }) => {
      const found = await activity().requests(
        nameCaller(principal) ?? '',
        { ...query, before: cursor },
        db.now,
      );
      const rows = found.slice(0, query.limit);
      const last = rows.at(-1);
      return {
        rows: rows.map(({ ms, code, sent, ...row }) => ({
          ...row,
          code: code || null,
          duration_ms: ms,
          sent: sent === '' ? [] : sent.split(' '),
        })),
        next: found.length > query.limit && last ? last.id : null,
      };
    },
  }),
];

/* @__PURE__ */ explainOperations({
  listActivity:
    'Who changed members, API keys, apps, webhooks, settings, payment and e-mail configuration, and what assistants changed, newest first, for a year. changes never holds a secret: of a secret, and of the URL of a webhook, it says only that it changed. An app and an API key with chosen scopes do not see from where a request came, nor the addresses of people who were invited; a viewer does not see those addresses either. Operators are one actor, the service. With a filter, a page may hold fewer than limit entries although meta.cursor.next continues.',
  listRequests:
    'The requests that this API key or this app sent to the store in the past seven days, newest first. Failures are there whole; of successes, and of very many failures in a minute, one in one_in is. An entry has no value that was sent. Successful calls of this operation are not in it.',
});

/* @__PURE__ */ explainEnum('AuditActorKind', 'What did something.', {
  user: 'A person, on the pages.',
  operator: 'A person who runs the service.',
  api_key: 'A program with an API key.',
  app: 'An app that the merchant connected.',
  system: 'The service itself.',
});

/* @__PURE__ */ explainEnum('AuditTargetKind', 'What an entry of the activity is about.', {
  api_key: 'An API key.',
  app: 'A partner app, or its connection to the store.',
  email_configuration: 'The mail account that the store sends from.',
  host: 'A host that assistants come from.',
  invitation: 'An invitation that is not accepted yet.',
  payment_configuration: 'The configuration of a payment type.',
  record: 'A record that an assistant changed; action is the operation.',
  settings: 'The settings of the store.',
  shard: 'A database of the service.',
  store: 'The store itself.',
  user: 'A person: a member of the store, or any user of the service.',
  webhook: 'A webhook.',
});
