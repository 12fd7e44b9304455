import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
  Schema,
} from '../http/openapi-types.ts';
import type { RowProps, ShapeProps } from '../pages/docs-props.ts';
import { curl, type Setting } from './curl.ts';
import { fieldOf, fieldsOf, recordOf } from './fields.ts';

/** The parameters that mean the same on every list, so the page describes them once. */
const ofEveryList = new Set([
  'page',
  'limit',
  'sortedBy',
  'searchFields',
  'searchJoin',
  'skipCache',
]);

/** One row of the document as the page shows it. */
export function rowProps(
  document: OpenApiDocument,
  setting: Setting,
  { verb, path, row }: { verb: string; path: string; row: OperationObject },
): RowProps {
  const parameters = (row.parameters ?? [])
    .map((one) => parameterOf(document, one))
    .filter((one) => one.in !== 'header' && one.name !== 'alias');
  const isList = parameters.some(({ name }) => name === 'page');
  const isGeneral = ({ name, schema }: ParameterObject) =>
    isList && ofEveryList.has(name) && (name !== 'limit' || schema.default === 10);
  const sent = row.requestBody?.content['application/json'];
  const answers = Object.entries(row.responses);
  return {
    id: row.operationId,
    verb,
    path,
    summary: row.summary,
    scope: row['x-scope'],
    note: row.description ?? '',
    parameters: parameters
      .filter((one) => !isGeneral(one))
      .map(({ name, schema, required, description }) => {
        const field = fieldOf(name, schema, required);
        // In an address a default stands without the quotes of JSON.
        return { ...field, description, preset: String(schema.default ?? '') };
      }),
    listParameters: parameters.filter(isGeneral).map(({ name }) => name),
    fields: sent ? fieldsOf(sent.schema) : [],
    success: successOf(document, answers),
    refusals: answers
      .filter(([status]) => status >= '4')
      .map(([status, answer]) => ({
        status,
        description: responseOf(document, answer).description,
      })),
    curl: curl(setting, verb, path, sent?.example),
  };
}

function successOf(document: OpenApiDocument, answers: [string, ResponseObject | Reference][]) {
  const [status, answer] = answers.find(([one]) => one < '3') ?? ['200', { description: '' }];
  const { schema = {}, example = {} } =
    responseOf(document, answer).content?.['application/json'] ?? {};
  return { status, shape: shapeOf(schema), example: JSON.stringify(example, null, 2) };
}

/** `{"data": [Brand], "meta"}`, with the record apart so that it can be a link. */
function shapeOf(schema: Schema): ShapeProps {
  if (schema.$ref !== undefined) return { before: '', record: recordOf(schema), after: '' };
  const { data, ...beside } = schema.properties ?? {};
  if (!data) return { before: '{}', record: '', after: '' };
  const end = ['', ...Object.keys(beside)].join(', ').concat('}');
  return data.items
    ? { before: '{data: [', record: recordOf(data.items), after: `]${end}` }
    : { before: '{data: ', record: recordOf(data), after: end };
}

function parameterOf(
  { components }: OpenApiDocument,
  one: ParameterObject | Reference,
): ParameterObject {
  const found = '$ref' in one ? components.parameters[recordOf(one)] : one;
  if (!found) throw new Error(`no parameter ${JSON.stringify(one)}`);
  return found;
}

/** A response, looked up when it is a shared one. */
export function responseOf(
  { components }: OpenApiDocument,
  one: ResponseObject | Reference,
): ResponseObject {
  const found = '$ref' in one ? components.responses[recordOf(one)] : one;
  if (!found) throw new Error(`no response ${JSON.stringify(one)}`);
  return found;
}
