import type { QueryParameter } from '../../base/codecs/listing/parameters.ts';
import { restrictedRelations } from '../access/restricted-fields.ts';
import {
  acceptsIdempotencyKey,
  type Operation,
  specialPathParam,
  takesPreconditions,
} from '../operation.ts';
import type { DocumentTexts } from './document-texts.ts';
import { componentName, innerRecord } from './normalize-schema.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import type { JsonSchema, ParameterObject, Reference } from './types.ts';

/** Parameters that many operations share. */
export const sharedParameters: Record<string, ParameterObject> = {
  alias: {
    name: 'alias',
    in: 'path',
    required: true,
    description: 'Alias of the store, or one that it left within a year.',
    schema: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$' },
    example: 'demo',
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      'handling=strict rejects unknown fields and query parameters, which are otherwise ignored and named in X-Warning.',
    schema: { type: 'string', examples: ['handling=strict'] },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Identifies this request for safe retries: it is executed once, and a retry within a day gets the stored response. A retry may write the same JSON and query in another order.',
    schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
    example: '6f1c1a52-3c4e-4d0b-9a57-0f2d4f6f3c11',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'Changes the record only if it still has one of these ETags, so that no change overwrites another one made meanwhile; else 412 and nothing changes. * stands for any version of a record that exists.',
    schema: { type: 'string' },
    example: '"q1h6mVYV2n1c0kQ3c1J8xk"',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The ETags of versions that you have: a GET answers 304 without a body while the record is one of them.',
    schema: { type: 'string' },
    example: '"q1h6mVYV2n1c0kQ3c1J8xk"',
  },
};

/** Returns the path, query and header parameters of an operation. */
export function operationParameters(
  operation: Operation,
  reply: JsonSchema,
  registry: SchemaRegistry,
  texts: DocumentTexts,
): (ParameterObject | Reference)[] {
  const { properties: fields = {} } = innerRecord(reply, registry.namedSchemas);
  return [
    ...(operation.isStoreScoped ? [parameterReference('alias')] : []),
    ...operation.pathParams.map((name) => pathParameter(operation, name, texts)),
    ...(operation.query?.parameters ?? []).map((parameter): ParameterObject => ({
      name: parameter.name,
      in: 'query',
      required: false,
      description: queryDescription(operation, parameter, fields),
      ...querySchema(parameter, fields, registry),
      ...(parameter.isOfSearch && { 'x-search': true as const }),
    })),
    parameterReference('prefer'),
    ...(acceptsIdempotencyKey(operation) ? [parameterReference('idempotencyKey')] : []),
    ...(takesPreconditions(operation)
      ? [parameterReference('ifMatch'), parameterReference('ifNoneMatch')]
      : operation.hasListTag
        ? [parameterReference('ifNoneMatch')]
        : []),
  ];
}

/**
 * The schema of a query parameter. A list is one text with commas; its words are those of the field
 * that it filters.
 */
function querySchema(
  { schema: plain, column = '' }: QueryParameter,
  fields: Readonly<Record<string, JsonSchema>>,
  { namedSchemas, nameEnums }: SchemaRegistry,
): Pick<ParameterObject, 'schema' | 'style' | 'explode'> {
  // Query definitions hold plain JSON schemas.
  const schema = nameEnums(structuredClone(plain));
  if (schema.type !== 'array') return { schema };
  const { $ref } = fields[column] ?? {};
  const words = $ref !== undefined && namedSchemas[componentName({ $ref })]?.enum ? { $ref } : {};
  const items = { ...schema.items, ...words };
  return { schema: { ...schema, items }, style: 'form', explode: false };
}

/** The description of a parameter; that of a filter ends with the meaning of the field. */
function queryDescription(
  { reply }: Operation,
  { name, description, column = '', needsMeaning }: QueryParameter,
  fields: Readonly<Record<string, JsonSchema>>,
): string {
  const meaning = needsMeaning && fields[column]?.description;
  if (meaning !== undefined) return `${description} ${meaning}`;
  return name === 'include' ? description + includeRequirements(reply) : description;
}

/** Says which relations an app needs a further scope for. */
const includeRequirements = ({ schema }: Operation['reply']) =>
  [...restrictedRelations(schema)]
    .map(([name, requirement]) => ` An app needs ${requirement} for ${name}.`)
    .join('');

const parameterReference = (name: string): Reference => ({
  $ref: `#/components/parameters/${name}`,
});

function pathParameter(
  { path }: Operation,
  name: string,
  { pathParameters }: DocumentTexts,
): ParameterObject {
  const [start = ''] = path.split(`{${name}}`);
  const place = `${start.replace(/^\/({alias}\/)?/, '')}{${name}}`;
  const special = specialPathParam(name);
  return {
    name,
    in: 'path',
    required: true,
    description: pathParameters[place] ?? special?.description ?? '',
    schema: special?.published ?? { type: 'integer', format: 'int64', minimum: 1 },
    example: special?.example ?? 1,
  };
}
