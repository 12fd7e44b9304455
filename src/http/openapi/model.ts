import { nameMethod } from './names.ts';
import type { InputKind, MethodRow, ResultKind } from './operation-table.ts';
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
} from './types.ts';

/** An operation of the document as a method of the client. */
export interface MethodModel extends MethodRow {
  operation: OperationObject;
  /** The ids of the path in their order, with their types. */
  ids: { name: string; schema: JsonSchema; example: unknown }[];
  /** Query parameters. */
  query: ParameterObject[];
  /** The sent content: JSON, or one line of a file. */
  body: { schema: JsonSchema; isRequired: boolean } | undefined;
  /** The result of the method: the record, one record of the list, or one line. */
  record: JsonSchema;
  /** `meta` of a page. */
  meta: JsonSchema | undefined;
}

const linesType = 'application/x-ndjson';

/** Returns the methods of all operations below `/v2`. Throws if two have the same name. */
export function readMethods(document: OpenApiDocument): MethodModel[] {
  const methods = Object.entries(document.paths)
    .filter(([path]) => /^\/(?:\{alias\}|auth)\//.test(path))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([verb, operation]) => readMethod(document, path, verb, operation)),
    );
  const names = new Set<string>();
  for (const { group, method, operation } of methods) {
    const name = `${group}.${method}`;
    if (names.has(name)) throw new Error(`${operation.operationId} would be a second ${name}.`);
    names.add(name);
  }
  return methods;
}

function readMethod(
  document: OpenApiDocument,
  path: string,
  verb: string,
  operation: OperationObject,
): MethodModel {
  const parameters = (operation.parameters ?? []).map((one) => dereference(document, one));
  const content = operation.requestBody?.content ?? {};
  // A GET has no body in `fetch`.
  const sent = verb === 'get' ? undefined : (content['application/json'] ?? content[linesType]);
  const names = [...path.matchAll(/\{(\w+)\}/g)]
    .map((match) => match[1])
    .filter((name) => name !== 'alias');
  return {
    ...nameMethod(operation.tags[0] ?? '', operation.operationId),
    verb: verb.toUpperCase(),
    path,
    input: inputOf(verb, linesType in content, sent !== undefined),
    ...readResult(document, verb, operation),
    operation,
    ids: names.flatMap((name) => {
      const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
      return parameter
        ? [{ name: parameter.name, schema: parameter.schema, example: parameter.example }]
        : [];
    }),
    query: parameters.filter((one) => one.in === 'query'),
    body: sent && { schema: sent.schema, isRequired: operation.requestBody?.required ?? false },
  };
}

function inputOf(verb: string, isUpload: boolean, hasBody: boolean): InputKind {
  if (isUpload) return 'lines';
  if (verb === 'get') return 'query';
  return hasBody ? 'body' : 'nothing';
}

type ResultModel = Pick<MethodModel, 'record' | 'meta'> & { result: ResultKind };

/** Finds the record in the envelope of a success. */
function readResult(
  document: OpenApiDocument,
  verb: string,
  operation: OperationObject,
): ResultModel {
  const [, response] =
    Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const content = response && 'content' in response ? (response.content ?? {}) : {};
  const lines = content[linesType];
  if (lines) return { result: 'lines', record: lines.schema, meta: undefined };
  const schema = content['application/json']?.schema ?? {};
  const isEmpty = Object.keys(resolve(document, schema).properties ?? {}).length === 0;
  const { data, meta } = schema.properties ?? {};
  if (!data) return { result: isEmpty ? 'none' : 'bare', record: schema, meta: undefined };
  const { items, minItems, maxItems } = resolve(document, data);
  if (items && minItems === 1 && maxItems === 1)
    return { result: 'one', record: items, meta: undefined };
  if (items && meta && verb === 'get') return { result: 'list', record: items, meta };
  return { result: 'data', record: data, meta: undefined };
}

/** Returns the schema that a reference points to. */
export function resolve({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const named = components.schemas[referencedName(schema.$ref)];
  if (!named) throw new Error(`${schema.$ref} is not in the document.`);
  return named;
}

/** Returns the name at the end of a reference. */
export const referencedName = (reference: string): string =>
  reference.slice(reference.lastIndexOf('/') + 1);

function dereference(
  { components }: OpenApiDocument,
  parameter: ParameterObject | Reference,
): ParameterObject {
  if (!('$ref' in parameter)) return parameter;
  const shared = components.parameters[referencedName(parameter.$ref)];
  if (!shared) throw new Error(`${parameter.$ref} is not in the document.`);
  return shared;
}
