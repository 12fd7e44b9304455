import * as z from 'zod';
import { addIssue } from '../codecs/messages.ts';
import { parsePlace, type AuditPlace, type AuditQuery } from '../db/audit/window.ts';
import { actorKinds } from '../schemas/store/audit-entry.ts';
import { defineQuery, limitField, limitParameter, singleValue } from './query-parameters.ts';

const moment = z.iso
  .datetime({ offset: true, error: 'Must be a time such as 2031-03-05T12:00:00Z.' })
  .transform((text) => Date.parse(text));

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
      kind: singleValue.optional(),
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
      description: 'Entries by actors of this kind.',
      schema: { type: 'string', enum: actorKinds },
    },
    text('actor_id', 'Entries by the actor with this id.'),
    text('kind', 'Entries about targets of this kind, such as webhook.'),
    text('action', 'Entries with this action, such as webhook.created.'),
    {
      ...text('from', 'Entries from this time on, ISO 8601 with an offset.'),
      schema: { type: 'string', format: 'date-time' },
    },
    {
      ...text('to', 'Entries before this time, ISO 8601 with an offset.'),
      schema: { type: 'string', format: 'date-time' },
    },
  ],
);
