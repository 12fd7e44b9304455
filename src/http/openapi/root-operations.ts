import type * as z from 'zod';
import type { DocumentTexts } from './document-texts.ts';
import { exampleFor } from './example.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import type {
  MediaType,
  OperationObject,
  ParameterObject,
  PathItem,
  Reference,
  ResponseObject,
} from './types.ts';

/** A response: JSON of a schema, or other content. */
export interface RootReply extends ResponseObject, Pick<MediaType, 'examples'> {
  schema?: z.ZodType;
}

/**
 * An operation at the root of the service instead of the base path of the API. Its requests carry
 * no credentials.
 */
interface RootOperation {
  id: string;
  route: `${'GET' | 'POST'} /${string}`;
  query?: z.ZodObject;
  json?: z.ZodType;
  /** A form, with examples of the schemas that it may have. */
  form?: {
    schema: z.ZodType;
    examples: Readonly<Record<string, readonly [summary: string, schema: z.ZodType]>>;
  };
  responses: Readonly<Record<string, RootReply | Reference>>;
}

/** The operations at the root, which are not declared with `operation()`. */
export interface RootGroup {
  tag: string;
  operations: readonly RootOperation[];
}

/** Describes the operations of a group. */
export const rootPaths = (
  { tag, operations }: RootGroup,
  origin: string,
  texts: DocumentTexts,
  registry: SchemaRegistry,
): Record<string, PathItem> =>
  Object.fromEntries(
    operations.map(({ id, route, query, json, form, responses }) => {
      const [method = '', path = ''] = route.split(' ');
      const { summary = id, description = '' } = texts.operations[id]?.en ?? {};
      const content = json ? jsonContent(json, registry) : form && formContent(form, registry);
      const operation: OperationObject = {
        operationId: id,
        tags: [tag],
        summary,
        description,
        'x-scope': '',
        servers: [{ url: origin, description: 'The service itself, without the path of the API' }],
        security: [],
        ...(query && { parameters: queryParameters(query, registry) }),
        ...(content && { requestBody: { required: true, content } }),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, reply]) => [
            status,
            '$ref' in reply ? reply : responseOf(reply, registry),
          ]),
        ),
      };
      return [path, { [method.toLowerCase()]: operation }];
    }),
  );

const jsonContent = (schema: z.ZodType, registry: SchemaRegistry) => ({
  'application/json': { schema: registry.input(schema) },
});

const formContent = (
  { schema, examples }: NonNullable<RootOperation['form']>,
  registry: SchemaRegistry,
) => ({
  'application/x-www-form-urlencoded': {
    schema: registry.input(schema),
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, [summary, sent]]) => [
        name,
        { summary, value: exampleFor(registry.input(sent), registry.namedSchemas) },
      ]),
    ),
  },
});

function queryParameters(query: z.ZodObject, registry: SchemaRegistry): ParameterObject[] {
  const { properties = {}, required = [], examples = [] } = registry.input(query);
  const values = (examples[0] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
    example: values[name],
  }));
}

function responseOf({ schema, examples, ...response }: RootReply, registry: SchemaRegistry) {
  if (!schema) return response;
  const media = { schema: registry.output(schema), ...(examples && { examples }) };
  return { ...response, content: { 'application/json': media } };
}
