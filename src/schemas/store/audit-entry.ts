import * as z from 'zod';
import { flatJson, type FlatJson } from '../../codecs/flat-json.ts';
import { explain } from '../../codecs/meaning.ts';
import { dateTime } from '../../codecs/time/date-time.ts';
import { changesOf, type PlacedRow } from '../../db/audit/window.ts';

/** What can act. */
export const actorKinds = ['user', 'operator', 'api_key', 'app', 'system'] as const;

const nullableText = z.string().nullable();

const ActorSchema = z
  .object({ kind: z.enum(actorKinds), id: z.string(), name: z.string() })
  .meta({ id: 'AuditActor' });

/* @__PURE__ */ explain(ActorSchema, 'Who did it.', {
  kind: 'user: on the pages; operator: who runs the service; api_key and app: a program; system: the service itself.',
  id: 'Which one: the number of the user or the key, or the client id of the app.',
  name: 'Name of it, as it was called then; of an app, as it is called now.',
});

const TargetSchema = z.object({ kind: z.string(), id: z.string() }).meta({ id: 'AuditTarget' });

/* @__PURE__ */ explain(TargetSchema, 'What was changed.', {
  kind: 'Kind of thing, such as webhook, app, user, api_key, invitation, settings or store.',
  id: 'Which one of its kind: for an app its client id, for a payment method its alias.',
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
    changes: z.record(z.string(), z.array(flatJson).length(2)),
    from: FromSchema,
  })
  .meta({ id: 'AuditEntry' });

/* @__PURE__ */ explain(AuditEntrySchema, 'Who changed what, when, and from where.', {
  id: 'Id of the entry.',
  at: 'When it happened.',
  actor: 'Who did it.',
  action: 'What was done, such as webhook.created. Actions are added in time.',
  target: 'What was changed.',
  reason: 'Why, in the words of who did it; null without.',
  changes: 'Value before and after, by field. Of a secret it says only that it changed.',
  from: 'Where the request came from.',
});

/** Converts a line of the audit to an entry. */
export const serializeAuditRow = (row: PlacedRow): z.input<typeof AuditEntrySchema> => ({
  id: `${row.source}${row.id}`,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  target: { kind: row.target_kind, id: row.target_id },
  reason: row.reason,
  changes: Object.fromEntries(
    // What the audit writes is one level deep.
    Object.entries(changesOf(row)).map(([name, pair]) => [name, [...pair] as FlatJson[]]),
  ),
  from: { country: row.country, network: row.network },
});
