import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../http/openapi/types.ts';
import type { OperationDoc, ResponseShape } from '../pages/docs/props.ts';
import { curlCommand, type ExampleContext } from './curl-examples.ts';
import { describeField, describeFields, recordName } from './fields.ts';

/** Parameters with the same meaning in every list. The section on lists describes them once. */
const commonListParameters = new Set([
  'page',
  'limit',
  'sortedBy',
  'searchFields',
  'searchJoin',
  'skipCache',
]);

/** An operation of the OpenAPI document with its method in upper case and its path. */
export interface LocatedOperation {
  method: string;
  path: string;
  operation: OperationObject;
}

/** Builds the description of one operation for the API reference. */
export function describeOperation(
  document: OpenApiDocument,
  context: ExampleContext,
  { method, path, operation }: LocatedOperation,
): OperationDoc {
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolveParameter(document, parameter))
    .filter((parameter) => parameter.in !== 'header' && parameter.name !== 'alias');
  const isList = parameters.some(({ name }) => name === 'page');
  const isCommon = ({ name, schema }: ParameterObject) =>
    isList && commonListParameters.has(name) && (name !== 'limit' || schema.default === 10);
  const requestBody = operation.requestBody?.content['application/json'];
  const responses = Object.entries(operation.responses);
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    scope: operation['x-scope'],
    note: operation.description ?? '',
    parameters: parameters
      .filter((parameter) => !isCommon(parameter))
      .map(({ name, schema, required, description }) => {
        const field = describeField(name, schema, required);
        // Parameters are not JSON, so their defaults have no quotes.
        return { ...field, description, defaultValue: String(schema.default ?? '') };
      }),
    listParameters: parameters.filter(isCommon).map(({ name }) => name),
    bodyFields: requestBody ? describeFields(requestBody.schema) : [],
    success: describeSuccess(document, responses),
    errors: responses
      .filter(([status]) => status >= '4')
      .map(([status, response]) => ({
        status,
        description: resolveResponse(document, response).description,
      })),
    curl: curlCommand(context, method, path, requestBody?.example),
  };
}

function describeSuccess(
  document: OpenApiDocument,
  responses: [string, ResponseObject | Reference][],
) {
  const [status, response] = responses.find(([status]) => status < '3') ?? [
    '200',
    { description: '' },
  ];
  const { schema = {}, example = {} } =
    resolveResponse(document, response).content?.['application/json'] ?? {};
  return { status, shape: describeShape(schema), example: JSON.stringify(example, null, 2) };
}

/** Returns a shape such as `{data: [Brand], meta}`, with the record separate so that it can be a link. */
function describeShape(schema: JsonSchema): ResponseShape {
  if (schema.$ref !== undefined) return { before: '', record: recordName(schema), after: '' };
  const { data, ...siblings } = schema.properties ?? {};
  if (!data) return { before: '{}', record: '', after: '' };
  const end = ['', ...Object.keys(siblings)].join(', ').concat('}');
  return data.items
    ? { before: '{data: [', record: recordName(data.items), after: `]${end}` }
    : { before: '{data: ', record: recordName(data), after: end };
}

function resolveParameter(
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
