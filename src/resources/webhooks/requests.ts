import * as z from 'zod';
import { eventNames } from '../../events/catalogue.ts';
import { bool } from '../../wire/bool.ts';
import { list } from '../../wire/list.ts';
import { request } from '../../wire/request.ts';
import { line } from '../../wire/text.ts';
import { url } from '../../wire/url.ts';

const eventName = z.enum(eventNames, { error: 'Must be the name of an event.' });

/** Up to a hundred names are read, so that a repeated one counts once instead of being refused. */
const events = list(eventName, { min: 1, max: 100 }).transform((names) => [...new Set(names)]);

const fields = { url: url(), events, name: line(100) };

/** The body of POST webhooks (contract 3.14). */
export const WebhookRequest = request({ required: fields }).post;

/** Any of the four; what is not sent stays. */
export const WebhookChanges = request({
  optional: {
    url: [fields.url, ''],
    events: [events, []],
    name: [fields.name, ''],
    active: [bool, true],
  },
}).put;

export type WebhookChanges = z.output<typeof WebhookChanges>;
