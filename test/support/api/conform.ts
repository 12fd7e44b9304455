import { expect } from 'vitest';
import { z } from 'zod';
import { idempotencyKeyHeader } from '../../../src/http/access/idempotent-request.ts';
import {
  idempotencyStatuses,
  operationErrorStatuses,
  repliesAsShown,
  isTagged,
  showsRecord,
} from '../../../src/http/operation.ts';
import { eventDefinitions } from '../../../src/routes/event-resources.ts';
import { appEventDefinitions } from '../../../src/webhooks/events/app-event-schemas.ts';
import { expectRefusal } from './expect-refusal.ts';
import { closeSchema } from './json-schema.ts';
import { recordStatus } from './observed-statuses.ts';
import { operationFor } from './operations.ts';

/** A response with its body parsed. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape; `expectDocumented` checks them
  body: any;
}

/** The header `RateLimit-Policy`: one or two policies. */
const policies = /^"[a-z-]+";q=\d+;(?:qu="[a-z-]+";)?w=\d+(?:, "[a-z-]+";q=\d+;w=\d+)?$/;

/**
 * Asserts that a response is documented: its status, headers and schema. Runs on every response of
 * every test.
 */
export function expectDocumented(
  method: string,
  path: string,
  { status, headers, body }: ApiResponse,
) {
  const operation = operationFor(method, path);
  const call = `${method} ${path}`;
  const isAboutKey = body?.errors?.[idempotencyKeyHeader] !== undefined;
  if (operation) {
    recordStatus(operation.id, status, isAboutKey);
    if (status !== 405) expect(headers.get('RateLimit-Policy'), call).toMatch(policies);
  }
  expect(headers.get('X-Request-Id'), call).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
  const tag = status < 400 ? headers.get('ETag') : null;
  const isList = operation?.hasListTag === true;
  // The tag of a list is weak, so a proxy may compress its answer.
  expect(tag === null || tag.startsWith('W/') === isList, `${tag} of ${call}`).toBe(true);
  expect(headers.get('Cache-Control'), call).toBe(
    tag === null || isList ? 'private, no-store' : 'private, no-store, no-transform',
  );
  // A stored response from which something is withheld has lost its tag.
  if (operation && !isList && status < 400 && !headers.has('Idempotent-Replayed')) {
    expect(tag !== null, `ETag of ${call}`).toBe(
      showsRecord(operation) || repliesAsShown(operation),
    );
  }
  if (status === 304 && operation && isTagged(operation)) {
    expect(body, call).toBeUndefined();
    return;
  }
  if (status < 400 && operation?.reply.mediaType !== undefined) {
    expect(headers.get('Content-Type'), call).toBe(operation.reply.mediaType);
    if (operation.reply.mediaType === 'application/x-tar') return;
    const line = publishedSchema(operation.reply.schema);
    for (const record of body ?? []) expectSchema(line, record, call);
    return;
  }
  expect(headers.get('Content-Type'), call).toMatch(/^application\/json/);
  if (status === 404 && operation?.reply.emptySchema) {
    expectRefusal({ status, headers, body });
    expectSchema(publishedSchema(operation.reply.emptySchema), body, call);
    return;
  }
  if (status >= 400) {
    expectRefusal({ status, headers, body });
    const documented =
      operation && (isAboutKey ? idempotencyStatuses : operationErrorStatuses(operation));
    if (documented) expect([401, 429, 503, ...documented], call).toContain(status);
    return;
  }
  if (!operation) return;
  expect(status, call).toBe(operation.reply.status);
  expectSchema(publishedSchema(operation.reply.schema), body, call);
}

/** Asserts that a delivery has the documented schema of its event. */
export function expectDocumentedEvent({ event, resource }: { event: string; resource: unknown }) {
  const contract = [...eventDefinitions, ...appEventDefinitions].find(({ name }) => name === event);
  expect(contract, event).toBeDefined();
  // An event whose resource is not there yet is only described.
  if (!contract) return;
  expectSchema(publishedSchema(contract.resource), resource, event);
}

function expectSchema(schema: z.ZodType, value: unknown, label: string) {
  const { error } = schema.safeParse(value);
  expect(error?.issues, error && `${label}: ${JSON.stringify(value)}`).toBeUndefined();
}

const publishedSchemas = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The published JSON schema as a validator: it checks the contract of clients, not the schema that
 * the service uses.
 */
function publishedSchema(schema: z.ZodType): z.ZodType {
  const known = publishedSchemas.get(schema);
  if (known) return known;
  const json = closeSchema(z.toJSONSchema(schema, { io: 'output' }));
  const published = z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]);
  publishedSchemas.set(schema, published);
  return published;
}
