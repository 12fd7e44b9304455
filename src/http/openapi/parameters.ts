import { mayReadNear } from '../../access/near-reads.ts';
import { acceptsIdempotencyKey, type Operation, textPathParam } from '../operation.ts';
import { restrictedRelations } from '../restricted-fields.ts';
import type { ParameterObject, Reference, JsonSchema } from './types.ts';

/** An example of `X-Bookmark`. */
const bookmarkExample = '0.0.00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683';

/** Parameters that many operations share. */
export const sharedParameters: Record<string, ParameterObject> = {
  alias: {
    name: 'alias',
    in: 'path',
    required: true,
    description: 'Alias of the store.',
    schema: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$' },
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
  preferNearest: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      'handling=strict rejects unknown query parameters, which are otherwise ignored and named in X-Warning. read=nearest allows an answer from the nearest copy of the data, which may be some seconds old; Preference-Applied tells whether one was used.',
    schema: { type: 'string', examples: ['read=nearest', 'handling=strict, read=nearest'] },
  },
  bookmark: {
    name: 'X-Bookmark',
    in: 'header',
    required: false,
    description:
      'The X-Bookmark of an earlier response: the answer then shows at least what that request saw or changed, and may come from a copy near you. A value that is not a bookmark of this store is ignored.',
    schema: { type: 'string', maxLength: 255 },
    example: bookmarkExample,
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Identifies this request for safe retries: it is executed once, and a retry within a day gets the stored response.',
    schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
    example: '6f1c1a52-3c4e-4d0b-9a57-0f2d4f6f3c11',
  },
};

/** Returns the path, query and header parameters of an operation. */
export function operationParameters(operation: Operation): (ParameterObject | Reference)[] {
  return [
    ...(operation.isStoreScoped ? [parameterReference('alias')] : []),
    ...operation.pathParams.map(pathParameter),
    ...(operation.query?.parameters ?? []).map(
      ({ name, description, schema }): ParameterObject => ({
        name,
        in: 'query',
        required: false,
        description:
          name === 'include' ? description + includeRequirements(operation) : description,
        // Query definitions hold plain JSON schemas.
        schema: schema as JsonSchema,
      }),
    ),
    ...(mayReadNear(operation.method, operation.access)
      ? [parameterReference('preferNearest'), parameterReference('bookmark')]
      : [parameterReference('prefer')]),
    ...(acceptsIdempotencyKey(operation) ? [parameterReference('idempotencyKey')] : []),
  ];
}

/** Says which relations an app needs a further scope for. */
const includeRequirements = ({ reply }: Operation) =>
  [...restrictedRelations(reply.schema)]
    .map(([name, requirement]) => ` An app needs ${requirement} for ${name}.`)
    .join('');

const parameterReference = (name: string): Reference => ({
  $ref: `#/components/parameters/${name}`,
});

function pathParameter(name: string): ParameterObject {
  const text = textPathParam(name);
  if (text) {
    const { description, pattern, example } = text;
    const schema = { type: 'string', pattern };
    return { name, in: 'path', required: true, description, schema, example };
  }
  const noun = name.replace(/Id$/, '');
  const description = name === 'id' ? 'Id of the record.' : `Id of the ${noun}.`;
  return {
    name,
    in: 'path',
    required: true,
    description: name === 'seq' ? 'Sequence number of the delivery.' : description,
    schema: { type: 'integer', format: 'int64', minimum: 1 },
    example: 1,
  };
}
