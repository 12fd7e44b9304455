import * as z from 'zod';
import { findStore } from '../db/directory.ts';
import { openShard } from '../db/open.ts';
import { eventContracts } from '../docs/event-resources.ts';
import { eventNames } from '../events/catalogue.ts';
import { recordOnce } from '../events/record-once.ts';
import { storeHandle } from '../events/store-handle.ts';
import type { FieldErrors } from '../problem.ts';
import { fieldErrors } from '../wire/errors.ts';
import { inZone } from '../wire/zone.ts';

/** What another service of the platform says has happened in a store (sources 8). */
export const Report = z.object({
  alias: z.string().min(1).max(40),
  event: z.enum(eventNames),
  /** The resource as the webhook of this event is published to show it. */
  resource: z.unknown(),
  /** The same for each try to report the same thing. */
  idempotency_key: z.string().min(1).max(255),
});

export type Report = z.output<typeof Report>;

/** `event_id` is `null` when no webhook of the store is subscribed: then nothing is kept of it. */
export type Reported = { ok: true; event_id: string | null } | { ok: false; errors: FieldErrors };

/** As much as a body of the API may hold. */
const maxBytes = 1_048_576;

/**
 * Records what another service reports in the outbox of the store, with the deliveries to every subscribed webhook.
 * A repeated key answers as the first one did and does nothing. Bad input is answered, never thrown; a database that
 * does not answer throws, and the same report may be sent again.
 */
export async function report(
  env: Env,
  sent: unknown,
  clock: { now: number; waitUntil: (work: Promise<unknown>) => void },
): Promise<Reported> {
  const read = Report.safeParse(sent);
  if (!read.success) return refused(fieldErrors(read.error));
  const { alias, event, idempotency_key: idempotencyKey } = read.data;
  const store = await findStore(openShard(env.DIRECTORY), alias);
  if (!store?.active) return refused({ alias: ['No such active store.'] });
  const resource = inZone(store.zone, () => published(event, read.data.resource));
  if ('errors' in resource) return refused(resource.errors);
  const name = event;
  const id = await recordOnce(storeHandle(env, store, clock), {
    name,
    resource: resource.shown,
    idempotencyKey,
  });
  return { ok: true, event_id: id };
}

const refused = (errors: FieldErrors): Reported => ({ ok: false, errors });

/** The resource as its schema shows it, without what the schema does not name; inside `inZone` only. */
function published(
  event: Report['event'],
  resource: unknown,
): { shown: object } | { errors: FieldErrors } {
  const schema = eventContracts.find(({ name }) => name === event)?.resource;
  if (!(schema instanceof z.ZodObject)) throw new Error(`no schema of ${event}`);
  // From what is shown to what is stored and back: each codec checks its own side.
  const stored = z.safeEncode(schema, resource as z.output<typeof schema>);
  if (!stored.success) return { errors: fieldErrors(within('resource', stored.error)) };
  const shown = schema.parse(stored.data);
  return new TextEncoder().encode(JSON.stringify(shown)).byteLength > maxBytes
    ? { errors: { resource: ['Must be at most 1,048,576 bytes of JSON.'] } }
    : { shown };
}

const within = (field: string, { issues }: z.core.$ZodError): z.core.$ZodError =>
  new z.ZodError(issues.map((issue) => ({ ...issue, path: [field, ...issue.path] })));
