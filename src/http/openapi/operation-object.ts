import type { z } from 'zod';
import { canDryRun, isBodyOptional, isTagged, noteOf, type Operation } from '../operation.ts';
import { answersQuery, queryFormats } from '../query-method.ts';
import type { DocumentTexts } from './document-texts.ts';
import { errorReferences } from './error-responses.ts';
import { innerRecord } from './normalize-schema.ts';
import { operationParameters } from './parameter-objects.ts';
import { headerReferences, successHeaderNames } from './response-headers.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import { securityRequirements } from './security-schemes.ts';
import type { JsonSchema, OperationObject, ResponseObject } from './types.ts';

/** Describes an operation. */
export function operationObject(
  operation: Operation,
  tag: string,
  registry: SchemaRegistry,
  texts: DocumentTexts,
): OperationObject {
  const sent = operation.upload?.line ?? operation.body;
  const body = sent && registry.input(sent);
  const reply = registry.output(operation.reply.schema);
  const text = texts.operations[operation.id]?.en;
  const description = [text?.description, noteOf(operation)].filter((part) => part !== undefined);
  return {
    operationId: operation.id,
    tags: [tag],
    summary: text?.summary ?? summaryFromId(operation.id),
    ...(description.length > 0 && { description: description.join('\n\n') }),
    'x-scope': operation.access,
    ...(canDryRun(operation) && { 'x-dry-run': true as const }),
    ...(answersQuery(operation) && { 'x-query': queryFormats['Accept-Query'].split(', ') }),
    security: securityRequirements(operation.access),
    parameters: operationParameters(operation, reply, registry, texts),
    ...(body && {
      requestBody: {
        ...(operation.upload && { description: 'One record a line, as JSON without line breaks.' }),
        // An empty body counts as {}; an empty file is an error.
        required:
          operation.upload !== undefined ||
          ((innerRecord(body, registry.namedSchemas).required ?? []).length > 0 &&
            !isBodyOptional(operation)),
        content: { [operation.upload?.mediaType ?? jsonType]: { schema: body } },
      },
    }),
    responses: responsesOf(operation, reply, registry),
  };
}

const successTexts = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted: the work goes on after this response.',
};

const jsonType = 'application/json';

function responsesOf(
  operation: Operation,
  schema: JsonSchema,
  registry: SchemaRegistry,
): OperationObject['responses'] {
  const { status, emptySchema } = operation.reply;
  return {
    [status]: {
      description: successTexts[status],
      headers: headerReferences(successHeaderNames(operation, schema)),
      content: { [operation.reply.mediaType ?? jsonType]: { schema } },
    },
    ...(isTagged(operation) && { 304: notModifiedResponse }),
    ...errorReferences(operation),
    ...(emptySchema && { 404: emptyListResponse(emptySchema, registry) }),
  };
}

/** The record is one that the caller has. */
const notModifiedResponse: ResponseObject = {
  description:
    'Not modified: the record or list still has a tag that If-None-Match names. No body.',
  headers: headerReferences(['X-Request-Id', 'ETag']),
};

/** The 404 of a list without any match. */
const emptyListResponse = (empty: z.ZodType, registry: SchemaRegistry): ResponseObject => ({
  description: 'The query matches nothing.',
  headers: headerReferences(['X-Request-Id']),
  content: { [jsonType]: { schema: registry.output(empty) } },
});

/** Turns `listCategoryProducts` into "List category products". */
function summaryFromId(id: string): string {
  const words = id
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replaceAll(/\bsku/g, 'SKU');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
