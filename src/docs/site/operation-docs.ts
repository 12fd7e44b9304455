import type {
  JsonSchema,
  JsonSchemas,
  OpenApiDocument,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../../http/openapi/types.ts';
import { renderCode } from '../build/render-markdown.ts';
import { renderSamples } from '../build/samples.ts';
import { describeField, describeFields, recordName, resolveSchema } from './doc-fields.ts';
import { recordPath } from './doc-paths.ts';
import { samplesOfOperation } from './operation-samples.ts';
import type { OperationDoc, ResponseShape } from './props.ts';
import type { LocatedOperation } from './reference-index.ts';
import { renderText } from './render-text.ts';

/** Parameters with the same meaning in every list. The guide on lists describes them once. */
const commonListParameters = new Set([
  'page',
  'limit',
  'sortedBy',
  'searchFields',
  'searchJoin',
  'skipCache',
  'cursor',
]);

/** Builds the description of one operation. */
export function describeOperation(
  document: OpenApiDocument,
  located: LocatedOperation,
): OperationDoc {
  const { method, path, operation } = located;
  const { schemas } = document.components;
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolveParameter(document, parameter))
    .filter((parameter) => parameter.in !== 'header' && parameter.name !== 'alias');
  const isList = parameters.some(({ name }) => name === 'page');
  const isCommon = ({ name, schema }: ParameterObject) =>
    isList && commonListParameters.has(name) && (name !== 'limit' || schema.default === 10);
  const [body] = Object.values(operation.requestBody?.content ?? {});
  const responses = Object.entries(operation.responses);
  const [status, response] = responses.find(([status]) => status < '4') ?? ['200', noResponse];
  const [success] = Object.values(resolveResponse(document, response).content ?? {});
  const example = success?.example;
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    scope: operation['x-scope'],
    answersQuery: operation['x-query'] !== undefined,
    description: renderText(operation.description ?? ''),
    parameters: parameters
      .filter((parameter) => !isCommon(parameter))
      .map(({ name, schema, required, description }) => {
        const field = describeField(name, schema, required);
        // Parameters are not JSON, so their defaults have no quotes.
        return { ...field, description, defaultValue: String(schema.default ?? '') };
      }),
    listParameters: parameters.filter(isCommon).map(({ name }) => name),
    bodyFields: body ? describeFields(resolveSchema(body.schema, schemas)) : [],
    success: { status, shape: describeShape(success?.schema ?? {}, schemas) },
    errors: responses
      .filter(([status]) => status >= '4')
      .map(([status, error]) => ({
        status,
        description: resolveResponse(document, error).description,
      })),
    samples: renderSamples(
      samplesOfOperation(document, located),
      `sample-${operation.operationId}`,
      'Language of the sample',
    ),
    example:
      example === undefined
        ? ''
        : renderCode(formatExample(example), 'json', `Example response, ${status}`),
  };
}

const noResponse: ResponseObject = { description: '' };

export const formatExample = (example: unknown): string =>
  typeof example === 'string' ? example : JSON.stringify(example, null, 2);

/**
 * Returns a shape such as `{data: [Brand], meta}`, with the record separate so that it can be a
 * link.
 */
function describeShape(schema: JsonSchema, schemas: JsonSchemas): ResponseShape {
  const shape = (before: string, { $ref }: JsonSchema, after: string): ResponseShape => {
    const record = $ref === undefined ? '' : recordName({ $ref });
    return record in schemas
      ? { before, record, href: recordPath(record), after }
      : { before: before + record, record: '', href: '', after };
  };
  if (schema.$ref !== undefined) return shape('', schema, '');
  const { data, ...siblings } = schema.properties ?? {};
  if (!data) return shape(`{${Object.keys(schema.properties ?? {}).join(', ')}}`, {}, '');
  const end = ['', ...Object.keys(siblings)].join(', ').concat('}');
  return data.items ? shape('{data: [', data.items, `]${end}`) : shape('{data: ', data, end);
}

/** Returns a parameter, or the one of the document that it refers to. */
export function resolveParameter(
  { components }: OpenApiDocument,
  parameter: ParameterObject | Reference,
): ParameterObject {
  const resolved = '$ref' in parameter ? components.parameters[recordName(parameter)] : parameter;
  if (!resolved) throw new Error(`unknown parameter ${JSON.stringify(parameter)}`);
  return resolved;
}

function resolveResponse(
  { components }: OpenApiDocument,
  response: ResponseObject | Reference,
): ResponseObject {
  const resolved = '$ref' in response ? components.responses[recordName(response)] : response;
  if (!resolved) throw new Error(`unknown response ${JSON.stringify(response)}`);
  return resolved;
}
