import * as z from 'zod';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { explain } from '../../base/codecs/meaning.ts';

export const OperatedAppSchema = z
  .object({
    id: idOutput,
    client_id: z.string(),
    name: z.string(),
    publisher: z.string(),
    state: z.enum(['draft', 'published', 'disabled']),
    disabled_reason: z.string().nullable(),
    partner_id: z.int(),
    partner_email: z.string(),
    created_at: dateTime,
  })
  .meta({ id: 'OperatedApp' });

/* @__PURE__ */ explain(OperatedAppSchema, 'An app as operators see it.', {
  client_id: 'Public id of the app, which it sends with its requests.',
  name: 'Name that merchants see.',
  publisher: 'Who publishes the app.',
  state: 'draft, published or disabled.',
  disabled_reason: 'Why an operator disabled it; null unless one did.',
  partner_id: 'User who registered the app.',
  partner_email: 'Address of that user.',
  created_at: 'When the app was registered.',
});
