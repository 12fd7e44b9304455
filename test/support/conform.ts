import { expect } from 'vitest';
import { z } from 'zod';
import { keyHeader } from '../../src/access/once.ts';
import { keyStatuses, ownStatusesOf, type Operation } from '../../src/http/operation.ts';
import { eventContracts } from '../../src/docs/event-resources.ts';
import { sections } from '../../src/operations.ts';
import type { Answer } from './api.ts';
import { noteAnswer } from './answers.ts';
import { closed } from './closed.ts';

const operations = sections.flatMap((section) => section.operations);

/** The row that answers a call, if any. Literal paths win over ids, as in the router. */
export function rowOf(method: string, path: string): Operation | undefined {
  const plain = path.split('?')[0] ?? '';
  const reached = operations
    .filter((row) => patternOf(row).test(plain))
    .toSorted((one, other) => one.idNames.length - other.idNames.length);
  return reached.find((row) => row.verb === method && row.path === reached[0]?.path);
}

const patternOf = ({ path }: Operation) =>
  new RegExp(`^/v2${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

const ErrorBody = z.strictObject({
  message: z.string().min(1),
  status_code: z.int(),
  code: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string().regex(/^[A-Z].*\.$/s)).min(1)).optional(),
});

/** Every answer of a test is one that the document promises: its status, headers and schema. */
export function conform(method: string, path: string, { status, headers, body }: Answer) {
  const row = rowOf(method, path);
  const where = `${method} ${path}`;
  const isAboutKey = body?.errors?.[keyHeader] !== undefined;
  if (row) noteAnswer(row.id, status, isAboutKey);
  expect(headers.get('X-Request-Id'), where).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
  expect(headers.get('Content-Type'), where).toMatch(/^application\/json/);
  expect(headers.get('Cache-Control'), where).toBe('private, no-store');
  if (status === 404 && row?.reply.empty) {
    const shown = z.fromJSONSchema(published(row.reply.empty)).safeParse(body);
    expect(shown.error?.issues, `${where}: ${JSON.stringify(body)}`).toBeUndefined();
    return;
  }
  if (status >= 400) {
    const error = ErrorBody.safeParse(body);
    expect(error.error?.issues, `${where}: ${JSON.stringify(body)}`).toBeUndefined();
    expect(body.status_code, where).toBe(status);
    const promised = row && (isAboutKey ? keyStatuses : ownStatusesOf(row));
    if (promised) expect([401, 429, 503, ...promised], where).toContain(status);
    return;
  }
  if (!row) return;
  expect(status, where).toBe(row.reply.status);
  const shown = schemaOf(row).safeParse(body);
  expect(shown.error?.issues, `${where}: ${JSON.stringify(body)}`).toBeUndefined();
}

/** What a receiver is sent is what the document promises of the event. */
export function conformEvent({ event, resource }: { event: string; resource: unknown }) {
  const contract = eventContracts.find(({ name }) => name === event);
  expect(contract, event).toBeDefined();
  // An event whose resource is not there yet is only described.
  if (!contract) return;
  const shown = z.fromJSONSchema(published(contract.resource)).safeParse(resource);
  expect(shown.error?.issues, `${event}: ${JSON.stringify(resource)}`).toBeUndefined();
}

const schemas = new Map<Operation, z.ZodType>();

/** The published JSON schema of a row's success, as a validator: what clients are told, not what we use. */
function schemaOf(row: Operation): z.ZodType {
  let schema = schemas.get(row);
  if (!schema) {
    schema = z.fromJSONSchema(published(row.reply.schema));
    schemas.set(row, schema);
  }
  return schema;
}

const published = (schema: z.ZodType) =>
  closed(z.toJSONSchema(schema, { io: 'output' })) as Parameters<typeof z.fromJSONSchema>[0];
