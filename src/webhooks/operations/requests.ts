import * as z from 'zod';
import { arrayOf } from '../../base/codecs/fields/arrays-and-objects.ts';
import { bool } from '../../base/codecs/fields/scalars.ts';
import { url } from '../../base/codecs/fields/string-formats.ts';
import { line } from '../../base/codecs/fields/text.ts';
import { explainBody, explainChanges } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { eventNames } from '../../data/grants/event-catalogue.ts';
import { WebhookSchema } from './schema.ts';

const eventName = z.enum(eventNames, { error: `Must be one of ${eventNames.join(', ')}.` });

/** Accepts up to a hundred names and removes duplicates. */
const events = arrayOf(eventName, { min: 1, max: 100 })
  .transform((names) => [...new Set(names)])
  .describe(
    'Names of the events to send: those of GET /{alias}/webhooks/events, and catalog.import_completed.',
  );

const fields = { url: url(), events, name: line(100) };

export const WebhookRequest = requestBodies({
  required: fields,
  optional: { active: [bool, true], ordered: [bool, false] },
}).post;

/* @__PURE__ */ explainBody(WebhookRequest, WebhookSchema, {
  WebhookInput: 'Where events are sent to, and which ones.',
});

export const WebhookChanges = requestBodies({
  optional: {
    url: [fields.url, ''],
    events: [events, []],
    name: [fields.name, ''],
    active: [bool, true],
    ordered: [bool, false],
  },
}).put;

/* @__PURE__ */ explainChanges(WebhookChanges, WebhookSchema, {
  WebhookPatch: 'The fields of a webhook to change; events replaces all of them.',
});

export type WebhookChanges = z.output<typeof WebhookChanges>;
