import * as z from 'zod';
import { toFieldErrors } from '../base/codecs/field-errors.ts';
import { exceedsBytes } from '../base/codecs/fields/normalize-text.ts';
import { runInZone } from '../base/codecs/fields/zone.ts';
import { StoreElsewhere, type FieldErrors } from '../base/errors.ts';
import { openDatabase } from '../data/core/open-database.ts';
import type { Store } from '../data/core/store.ts';
import { findStoreByAlias } from '../data/directory/stores.ts';
import { specifiedEventNames } from '../data/grants/event-catalogue.ts';
import { followMove } from '../data/shards/placements.ts';
import { eventDefinitions } from '../routes/event-resources.ts';
import { createStoreHandle } from '../webhooks/create-store-handle.ts';
import { recordOnce } from '../webhooks/events/record-once.ts';

/** An event that another service of the platform reports. */
export const EventReport = z.object({
  alias: z.string().min(1).max(63),
  event: z.enum(specifiedEventNames),
  /** The resource of this event, as the OpenAPI document describes it under `webhooks`. */
  resource: z.unknown(),
  /** Must be the same at each attempt to report the same event. */
  idempotency_key: z.string().min(1).max(255),
});

export type EventReport = z.output<typeof EventReport>;

/** `event_id` is `null` when no webhook receives the event; then nothing is stored. */
export type EventReportResult =
  | { ok: true; event_id: string | null }
  | { ok: false; errors: FieldErrors };

/** The same limit as for a request body of the API. */
const maxBytes = 1_048_576;

/**
 * Records a reported event with its deliveries to every webhook that receives it, in one
 * transaction. A repeated key changes nothing and returns the first result. Invalid input is
 * returned as errors. Rejects when a database is unavailable; then the same report can be sent
 * again.
 */
export async function reportEvent(
  env: Env,
  input: unknown,
  clock: { now: number; waitUntil: (work: Promise<unknown>) => void },
): Promise<EventReportResult> {
  const parsed = EventReport.safeParse(input);
  if (!parsed.success) return rejected(toFieldErrors(parsed.error));
  const { alias, event, idempotency_key: idempotencyKey } = parsed.data;
  const store = await findStoreByAlias(openDatabase(env.DIRECTORY), alias, clock.now);
  if (!store?.active) return rejected({ alias: ['No such active store.'] });
  const published = runInZone(store.zone, () => toPublishedResource(event, parsed.data.resource));
  if ('errors' in published) return rejected(published.errors);
  const report = { name: event, resource: published.resource, idempotencyKey };
  const record = (home: Store) => recordOnce(createStoreHandle(env, home, clock), report);
  const eventId = await record(store).catch(async (error: unknown) => {
    if (!(error instanceof StoreElsewhere)) throw error;
    return record(await followMove(env, store));
  });
  return { ok: true, event_id: eventId };
}

const rejected = (errors: FieldErrors): EventReportResult => ({ ok: false, errors });

/**
 * Validates a resource and drops fields that its schema does not contain. Must run inside
 * `runInZone`.
 */
function toPublishedResource(
  event: EventReport['event'],
  resource: unknown,
): { resource: object } | { errors: FieldErrors } {
  const schema = eventDefinitions.find(({ name }) => name === event)?.resource;
  if (!(schema instanceof z.ZodObject)) throw new Error(`The event ${event} has no schema.`);
  // Encodes and decodes again, since each direction of a codec checks its own input.
  const stored = z.safeEncode(schema, resource as z.output<typeof schema>);
  if (!stored.success) return { errors: toFieldErrors(prefixPath('resource', stored.error)) };
  const published = schema.parse(stored.data);
  return exceedsBytes(JSON.stringify(published), maxBytes)
    ? { errors: { resource: ['Must be at most 1,048,576 bytes of JSON.'] } }
    : { resource: published };
}

const prefixPath = (field: string, { issues }: z.core.$ZodError): z.core.$ZodError =>
  new z.ZodError(issues.map((issue) => ({ ...issue, path: [field, ...issue.path] })));
