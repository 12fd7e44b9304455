import { expect } from 'vitest';
import { z } from 'zod';
import { idempotencyKeyHeader } from '../../../src/access/idempotent-request.ts';
import { eventDefinitions } from '../../../src/docs/event-resources.ts';
import {
  idempotencyStatuses,
  operationErrorStatuses,
  type Operation,
} from '../../../src/http/operation.ts';
import { closeSchema } from './json-schema.ts';
import { recordStatus } from './observed-statuses.ts';
import { operations } from './operations.ts';

/** A response with its body parsed. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape; `expectDocumented` checks them
  body: any;
}

/** Every operation with the pattern of its paths; those with fewer parameters first, as in the router. */
const routes = operations
  .toSorted((one, other) => one.pathParams.length - other.pathParams.length)
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^/v2${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** Returns the operation that serves a call, if any. A literal path wins over a parameter. */
function operationFor(method: string, path: string): Operation | undefined {
  const pathname = path.split('?')[0] ?? '';
  const matches = routes.filter(({ pattern }) => pattern.test(pathname));
  return matches.find(
    ({ operation }) => operation.method === method && operation.path === matches[0]?.operation.path,
  )?.operation;
}

const ErrorBody = z.strictObject({
  message: z.string().min(1),
  status_code: z.int(),
  code: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string().regex(/^[A-Z].*\.$/s)).min(1)).optional(),
});

/** Asserts that a response is documented: its status, headers and schema. Runs on every response of every test. */
export function expectDocumented(
  method: string,
  path: string,
  { status, headers, body }: ApiResponse,
) {
  const operation = operationFor(method, path);
  const call = `${method} ${path}`;
  const isAboutKey = body?.errors?.[idempotencyKeyHeader] !== undefined;
  if (operation) recordStatus(operation.id, status, isAboutKey);
  expect(headers.get('X-Request-Id'), call).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
  expect(headers.get('Content-Type'), call).toMatch(/^application\/json/);
  expect(headers.get('Cache-Control'), call).toBe('private, no-store');
  if (status === 404 && operation?.reply.emptySchema) {
    expectSchema(publishedSchema(operation.reply.emptySchema), body, call);
    return;
  }
  if (status >= 400) {
    expectSchema(ErrorBody, body, call);
    expect(body.status_code, call).toBe(status);
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
  const contract = eventDefinitions.find(({ name }) => name === event);
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

/** The published JSON schema as a validator: it checks what clients are told, not what the service uses. */
function publishedSchema(schema: z.ZodType): z.ZodType {
  const known = publishedSchemas.get(schema);
  if (known) return known;
  const json = closeSchema(z.toJSONSchema(schema, { io: 'output' }));
  const published = z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]);
  publishedSchemas.set(schema, published);
  return published;
}
