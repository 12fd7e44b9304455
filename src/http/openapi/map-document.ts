import { mapChildren } from './normalize-schema.ts';
import type {
  JsonSchema,
  JsonSchemas,
  MediaType,
  OperationObject,
  ParameterObject,
  PathItem,
} from './types.ts';

type ChangeSchema = (schema: JsonSchema) => JsonSchema;

/** Changes every schema of the operations in place: of parameters, bodies and responses. */
export function changeOperationSchemas(paths: Record<string, PathItem>, change: ChangeSchema) {
  for (const operation of operationsIn(paths)) {
    for (const parameter of operation.parameters ?? []) {
      if (isParameter(parameter)) {
        parameter.schema = change(parameter.schema);
      }
    }
    for (const media of mediaTypesOf(operation)) {
      media.schema = change(media.schema);
    }
  }
}

/** Changes every component in place. */
export function changeComponents(schemas: JsonSchemas, change: ChangeSchema) {
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = change(schema);
}

/** All operations of paths or webhooks. */
export const operationsIn = (paths: Record<string, PathItem>): OperationObject[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

/** The bodies of an operation: of its request and of its own responses. */
export function mediaTypesOf({ requestBody, responses }: OperationObject): MediaType[] {
  const contents = [
    requestBody?.content,
    ...Object.values(responses).map((response) =>
      'content' in response ? response.content : undefined,
    ),
  ];
  return contents.flatMap((content) => Object.values(content ?? {}));
}

export const isParameter = (
  parameter: NonNullable<OperationObject['parameters']>[number],
): parameter is ParameterObject => 'schema' in parameter;

/** Texts of the fields around records, which mean the same everywhere. */
const envelopeTexts: Record<string, (schema: JsonSchema) => string> = {
  data: ({ type, anyOf }) => {
    if (type === 'array') return 'What the list holds, in its order.';
    return anyOf ? 'The record, or null if there is none.' : 'The record as it is stored now.';
  },
  pagination: () => 'Which page of how many this is, with links to its neighbours.',
  cursor: () => 'How many records came, and where the next page begins.',
  meta: () => 'About the list as a whole: which part of it this page is.',
};

/** Describes the fields of envelopes that have no description. */
export const describeEnvelopes = (schema: JsonSchema): JsonSchema =>
  mapChildren(schema, (child, name = '') => {
    const described = describeEnvelopes(child);
    const text = described.description === undefined ? envelopeTexts[name] : undefined;
    return text ? { ...described, description: text(described) } : described;
  });
