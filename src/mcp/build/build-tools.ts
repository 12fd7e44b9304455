import type { Scope, ScopeArea } from '../../data/grants/scopes.ts';
import { orderStatusIds, type OrderStatus } from '../../data/schema/store/orders-tables.ts';
import { referencedName } from '../../http/openapi/model.ts';
import type {
  Components,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
} from '../../http/openapi/types.ts';
import { ownArguments } from '../tool-request.ts';
import type { Confirmation, Tool, ToolSchema } from '../tool.ts';
import { compactSchema, followReferences, mapValues } from './compact-schema.ts';
import { findForeignTexts } from './foreign-texts.ts';
import { mainFieldsOf, maxFields, readRecord } from './record-fields.ts';

/** An operation of the document with its place. */
interface Located {
  path: string;
  method: Tool['method'];
  operation: OperationObject;
}

/** Parameters that an assistant has no use for. */
const unusedParameters: ReadonlySet<string> = new Set(['skipCache']);

/** Changes of payments in which no money moves: they play the bank in a test store. */
const withoutMoney: ReadonlySet<string> = new Set(['simulateTransaction']);

/**
 * The steps of an order on its way, which release no goods and move no money. Any other status asks
 * the person.
 */
const harmlessStatuses = [
  'handling_products',
  'invoiced',
  'ready_for_shipping',
  'on_carriage',
  'shipment_exception',
  'delivered',
] as const satisfies OrderStatus[];

/** The values of arguments with which a change asks nobody; any other value of them asks. */
const harmlessValues: Readonly<Record<string, Confirmation['unless']>> = {
  updateOrder: {
    status: harmlessStatuses,
    status_id: harmlessStatuses.map((status) => orderStatusIds[status]),
  },
};

/**
 * Returns how readers find an operation: its summary in the other languages of the documentation,
 * and further words.
 */
type NamesOf = (operation: OperationObject) => Pick<Tool, 'translations' | 'words'>;

/**
 * Makes a tool of each operation of a store. An operation that is added to the document is a tool
 * without a further line.
 */
export function buildTools(document: OpenApiDocument, namesOf: NamesOf): Tool[] {
  const located = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      // Paths of the document have no other methods.
      method: method.toUpperCase() as Tool['method'],
      operation,
    })),
  );
  const ofStores = located.filter(({ path }) => path.startsWith('/{alias}/'));
  const areas = new Map<string, ScopeArea>();
  for (const { operation } of ofStores) {
    const area = areaOf(operation['x-scope']);
    if (area) areas.set(operation.tags[0] ?? '', area);
  }
  const toolOf = new Map(
    ofStores.map(({ method, path, operation }) => [
      `${method} ${path}`,
      snakeCase(operation.operationId),
    ]),
  );
  return ofStores
    .map((one) => ({
      ...buildTool(one, ofStores, areas, document.components),
      ...namesOf(one.operation),
    }))
    .map((tool) => nameTools(tool, toolOf));
}

/**
 * Writes the name of a tool where a text names an operation by its address, which an assistant
 * cannot call.
 */
function nameTools(value: Tool, toolOf: ReadonlyMap<string, string>): Tool;
function nameTools(value: unknown, toolOf: ReadonlyMap<string, string>): unknown;
function nameTools(value: unknown, toolOf: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(
      /[A-Z]{3,6} \/\{alias\}[\w/{}-]*/g,
      (address) => toolOf.get(address) ?? address,
    );
  }
  if (Array.isArray(value)) return value.map((item) => nameTools(item, toolOf));
  return typeof value === 'object' && value !== null
    ? mapValues(value as Record<string, unknown>, (member) => nameTools(member, toolOf))
    : value;
}

const areaOf = (scope: string) =>
  scope.includes('.') ? (scope.split('.')[0] as ScopeArea) : undefined;

function buildTool(
  { path, method, operation }: Located,
  all: readonly Located[],
  areas: ReadonlyMap<string, ScopeArea>,
  components: Components,
): Omit<Tool, 'translations' | 'words'> {
  const { schemas } = components;
  const { operationId, summary, description = '', tags, 'x-scope': scope } = operation;
  const [tag = ''] = tags;
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolveParameter(parameter, components))
    .filter(({ name, in: place }) => place !== 'header' && name !== 'alias')
    // `search` does the same as the filter of a searched field.
    .filter((parameter) => !unusedParameters.has(parameter.name) && !parameter['x-search']);
  const [mediaType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  // The bodies of reading operations only repeat their query.
  const hasBody = media !== undefined && method !== 'GET';
  const body = hasBody ? (mediaType === 'application/json' ? 'json' : 'lines') : undefined;
  const answer = answerOf(operation);
  const record = readRecord(answer, schemas);
  const confirmation = confirmationOf({ path, method, operation }, all, schemas);
  const area = areaOf(scope) ?? areas.get(tag);
  if (!area) throw new Error(`No area has the operation ${operationId}.`);
  const fields = Object.keys(record.properties);
  const isRead = method === 'GET';
  // Some operations answer with a list that has their one record.
  const canTry = operation['x-dry-run'] === true;
  const isList = record.isList && isRead && !path.endsWith('}');
  const isRepeatable = method === 'POST' || (hasBody && isRelative(media.schema, schemas));
  return {
    name: snakeCase(operationId),
    title: summary,
    description,
    tag,
    area,
    scope: areaOf(scope) === undefined ? null : (scope as Scope),
    method,
    path,
    query: Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, explode }) => [name, explode === false ? ('list' as const) : 'one']),
    ),
    ...(body && { body }),
    inputSchema: inputOf({
      operationId,
      parameters,
      body: body === 'json' ? media?.schema : undefined,
      lines: body === 'lines' ? media?.schema : undefined,
      isBodyRequired: operation.requestBody?.required === true,
      own: ownArguments({ fields, confirmation, isList, canTry, isRepeatable }),
      schemas,
    }),
    outputSchema: outputOf(answer, schemas),
    annotations: {
      title: summary,
      readOnlyHint: isRead,
      destructiveHint: !isRead && (confirmation !== undefined || method === 'PUT'),
      idempotentHint: !isRepeatable,
      openWorldHint: false,
    },
    example: exampleOf(parameters, body, media?.example),
    fields,
    ...((isList || (!isRead && fields.length > maxFields)) && {
      mainFields: mainFieldsOf(record.properties, schemas),
    }),
    ...(canTry && { canTry }),
    foreignTexts: answer ? findForeignTexts(answer, schemas) : [],
    ...(confirmation && { confirmation }),
  };
}

/**
 * Whether a body may say how much is added to what is stored, so that a second call adds it again.
 */
const isRelative = (body: JsonSchema | undefined, schemas: Components['schemas']) =>
  body !== undefined && /"(?:delta|percent)":\{/.test(JSON.stringify(compactSchema(body, schemas)));

/** `createBrand` becomes `create_brand`. */
export const snakeCase = (operationId: string) =>
  operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function resolveParameter(
  parameter: ParameterObject | Reference,
  { parameters }: Components,
): ParameterObject {
  if (!('$ref' in parameter)) return parameter;
  const found = parameters[referencedName(parameter.$ref)];
  if (!found) throw new Error(`No parameter at ${parameter.$ref}.`);
  return found;
}

/** The schema of the answer to a call that worked; `undefined` for lines of a file. */
function answerOf({ responses }: OperationObject): JsonSchema | undefined {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return response && 'content' in response
    ? response.content?.['application/json']?.schema
    : undefined;
}

interface InputParts {
  operationId: string;
  parameters: readonly ParameterObject[];
  body: JsonSchema | undefined;
  lines: JsonSchema | undefined;
  isBodyRequired: boolean;
  own: Record<string, ToolSchema>;
  schemas: Components['schemas'];
}

/**
 * The arguments of path, query and body, flat, beside those of the server. Throws if two have the
 * same name.
 */
function inputOf(parts: InputParts): ToolSchema {
  const { operationId, parameters, body, lines, isBodyRequired, own, schemas } = parts;
  const properties: Record<string, ToolSchema> = {};
  const add = (name: string, schema: ToolSchema) => {
    if (name in properties) throw new Error(`${operationId}: two arguments are called ${name}.`);
    properties[name] = schema;
  };
  for (const { name, schema, description } of parameters) {
    add(name, compactSchema({ ...schema, description }, schemas));
  }
  const whole = body && followReferences(body, schemas);
  for (const [name, member] of Object.entries(whole?.properties ?? {})) {
    add(name, compactSchema(member, schemas));
  }
  if (lines) {
    const items = compactSchema(lines, schemas);
    add('lines', { type: 'array', description: 'The records of the file, one a line.', items });
  }
  for (const [name, schema] of Object.entries(own)) add(name, schema);
  const required = [
    ...parameters.filter((parameter) => parameter.required).map(({ name }) => name),
    ...((isBodyRequired && whole?.required) || []),
    ...(lines ? ['lines'] : []),
  ];
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * The answer as far as the fields of its record, all of them optional and nullable. The caller may
 * lack the scope of some, and chooses others.
 */
function outputOf(answer: JsonSchema | undefined, schemas: Components['schemas']): ToolSchema {
  if (!answer) {
    const lines = { type: 'array', items: { type: 'object' } };
    return { type: 'object', properties: { lines } };
  }
  const envelope = followReferences(answer, schemas);
  const shallow = (member: JsonSchema, depth: number): ToolSchema => {
    const whole = followReferences(member, schemas);
    const { type } = compactSchema(member, schemas, Infinity);
    // A model reads a date as one text.
    if (whole.properties?.timezone_type) return { type: ['string', 'null'], format: 'date-time' };
    const types = type === undefined ? undefined : [...new Set([type, 'null'].flat())];
    const below = (inner: JsonSchema) => shallow(inner, depth + 1);
    return {
      ...(types && { type: types }),
      ...(depth < 2 && whole.properties && { properties: mapValues(whole.properties, below) }),
      ...(depth < 2 && whole.items && { items: { ...below(whole.items), type: 'object' } }),
    };
  };
  return { type: 'object', properties: shallow(envelope, 0).properties ?? {} };
}

/** Deletions, and changes of payments, ask the person first. */
function confirmationOf(
  { path, method, operation }: Located,
  all: readonly Located[],
  schemas: Components['schemas'],
): Confirmation | undefined {
  const { operationId, 'x-scope': scope } = operation;
  const isMoney = scope === 'transactions.write' && !withoutMoney.has(operationId);
  const unless = harmlessValues[operationId];
  if (method !== 'DELETE' && !isMoney && !unless) return undefined;
  const shown = findShow(path, all);
  const record = shown && readRecord(answerOf(shown.operation), schemas);
  const { name, number } = record?.properties ?? {};
  // The number of an address is that of its house.
  const isCalled = name !== undefined || number?.type === 'integer';
  const foreign = shown ? findForeignTexts(answerOf(shown.operation) ?? {}, schemas) : [];
  return {
    ...(isCalled && { shownAt: shown?.path }),
    ...(foreign.some((place) => /^(?:data\.(?:\*\.)?)?name$/.test(place)) && {
      isNameForeign: true,
    }),
    ...(unless && { unless }),
  };
}

/** The operation that shows the record that a path works on: at the path, or above it. */
function findShow(path: string, all: readonly Located[]): Located | undefined {
  if (!path.includes('/', '/{alias}/'.length)) return undefined;
  const shown = path.endsWith('}')
    ? all.find((other) => other.path === path && other.method === 'GET')
    : undefined;
  return shown ?? findShow(path.slice(0, path.lastIndexOf('/')), all);
}

function exampleOf(
  parameters: readonly ParameterObject[],
  body: Tool['body'],
  sent: unknown,
): Record<string, unknown> {
  const required = parameters.filter((parameter) => parameter.required);
  return {
    ...Object.fromEntries(required.map(({ name, example = 1 }) => [name, example])),
    ...(body === 'json' && typeof sent === 'object' && sent),
    ...(body === 'lines' && { lines: [sent] }),
  };
}
