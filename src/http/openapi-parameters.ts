import { takesKey, type Operation } from './operation.ts';
import type { ParameterObject, Reference, Schema } from './openapi-types.ts';
import { pathTextOf } from './path-texts.ts';

/** The parameters that many rows share. */
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
      'handling=strict refuses unknown fields and query parameters instead of naming them in X-Warning.',
    schema: { type: 'string', examples: ['handling=strict'] },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Names this request, so that it can be sent again: it is carried out once, and its answer comes again for a day.',
    schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
    example: '6f1c1a52-3c4e-4d0b-9a57-0f2d4f6f3c11',
  },
};

/** Path, query and header parameters of a row. */
export function parametersOf(row: Operation): (ParameterObject | Reference)[] {
  return [
    ...(row.isOfStore ? [sharedRef('alias')] : []),
    ...row.idNames.map(idParameter),
    ...(row.query?.parameters ?? []).map(({ name, description, schema }): ParameterObject => ({
      name,
      in: 'query',
      required: false,
      description,
      // The contract of a query writes plain JSON schemas.
      schema: schema as Schema,
    })),
    ...(row.query || row.body ? [sharedRef('prefer')] : []),
    ...(takesKey(row) ? [sharedRef('idempotencyKey')] : []),
  ];
}

const sharedRef = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` });

function idParameter(name: string): ParameterObject {
  const text = pathTextOf(name);
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
