import { type MethodModel, referencedName, resolve } from '../http/openapi/model.ts';
import type { JsonSchema, OpenApiDocument } from '../http/openapi/types.ts';

/** Whether a type is for values that are sent or for values that arrive. Sent ones are wider. */
export type Direction = 'sent' | 'received';

/** How a language writes types. */
export interface Notation {
  /** Types of JSON, and `json` for any value. */
  plain: Readonly<Record<'string' | 'number' | 'integer' | 'boolean' | 'null' | 'json', string>>;
  dates: Readonly<Record<Direction, readonly string[]>>;
  literal: (value: unknown) => string;
  union: (members: readonly string[]) => string;
  array: (item: string, direction: Direction) => string;
  map: (value: string, direction: Direction) => string;
  /**
   * An object without a name of its own. `place` is one: that of the record, and of each field on
   * the way.
   */
  object: (schema: JsonSchema, direction: Direction, place: string) => string;
}

/** Returns the type of a schema. */
export type TypeText = (schema: JsonSchema, direction: Direction, place?: string) => string;

/** Makes the function that writes types in a language. */
export function typesIn(notation: Notation): TypeText {
  const { plain, dates, literal, union } = notation;
  const text: TypeText = (schema, direction, place = '') =>
    union([...new Set(members(schema, direction, place))]);

  /** Returns the members of the union that a schema is. */
  function members(schema: JsonSchema, direction: Direction, place: string): readonly string[] {
    const { $ref, anyOf, oneOf, type } = schema;
    if ($ref !== undefined) {
      return isDateReference($ref) ? dates.received : [referencedName($ref)];
    }
    if (schema.const !== undefined) return [literal(schema.const)];
    if (schema.enum) return schema.enum.map(literal);
    const choices = anyOf ?? oneOf;
    if (choices) return choices.flatMap((member) => members(member, direction, place));
    const types = [type ?? []].flat();
    if (types.length === 0) return [plain.json];
    return types.flatMap((one) => membersOf(one, schema, direction, place));
  }

  function membersOf(type: string, schema: JsonSchema, direction: Direction, place: string) {
    const { items = {}, properties, additionalProperties } = schema;
    switch (type) {
      case 'string':
        if (!isDateText(schema)) return [plain.string];
        return direction === 'sent' ? [...dates.sent, plain.string] : dates.received;
      case 'array':
        return [notation.array(text(items, direction, place), direction)];
      case 'object': {
        if (properties) return [notation.object(schema, direction, place)];
        const values = typeof additionalProperties === 'object' ? additionalProperties : {};
        return [notation.map(text(values, direction, place), direction)];
      }
      case 'integer':
      case 'number':
      case 'boolean':
      case 'null':
        return [plain[type]];
      default:
        throw new Error(`No type for ${type}.`);
    }
  }
  return text;
}

/** The example of every local date and time. */
const localDateExample = '2031-03-05 09:04:07';

/** Whether a text is a date and time, so that the client converts it to a date. */
export const isDateText = ({ format, examples }: JsonSchema): boolean =>
  format === 'date-time' || (examples?.includes(localDateExample) ?? false);

/** Named schemas that are dates. */
const isDateReference = (reference: string) =>
  /^DateTime(?:Input)?$/.test(referencedName(reference));

/** Returns the schemas of the deliveries. */
export const eventBodies = ({ webhooks }: OpenApiDocument): JsonSchema[] =>
  Object.values(webhooks).flatMap((item) =>
    Object.values(item).flatMap(({ requestBody }) =>
      Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
    ),
  );

/** Returns all named schemas that methods and events use, in the order of their names. */
export function namedSchemasOf(document: OpenApiDocument, methods: readonly MethodModel[]) {
  const received = new Set<string>();
  const sent = new Set<string>();
  for (const { record, meta, body, query } of methods) {
    collect(document, record, received);
    if (meta) collect(document, meta, received);
    if (body) collect(document, body.schema, sent);
    for (const { schema } of query) collect(document, schema, sent);
  }
  for (const body of eventBodies(document)) collect(document, body, received);
  return [...new Set([...received, ...sent])].sort().map((name) => ({
    name,
    schema: document.components.schemas[name] ?? {},
    direction: received.has(name) ? ('received' as const) : ('sent' as const),
  }));
}

/** Collects the names that a schema refers to. Dates have a type of their own. */
function collect(document: OpenApiDocument, node: unknown, names: Set<string>) {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key !== '$ref' || typeof value !== 'string') {
      if (!['example', 'examples', 'default', 'enum', 'const'].includes(key))
        collect(document, value, names);
      continue;
    }
    const name = referencedName(value);
    if (names.has(name) || isDateReference(value)) continue;
    names.add(name);
    collect(document, resolve(document, { $ref: value }), names);
  }
}

export const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Whether a method takes query parameters: as its argument, or beside lines in its options. */
export const takesQuery = ({ input, query }: MethodModel) =>
  input === 'query' || (input === 'lines' && query.length > 0);

/** The name of the type of a method's query. */
export const queryName = ({ operation }: MethodModel) => `${pascal(operation.operationId)}Query`;

/**
 * The schemas of a delivery of each event that webhooks of a store receive, with the name of its
 * type and its summary.
 */
export const deliveriesOf = (document: OpenApiDocument) =>
  Object.entries(document.webhooks)
    .filter(([, { post }]) => post?.['x-scope'] !== '')
    .map(([event, item]) => ({
      name: `${event.split(/[._]/).map(pascal).join('')}Delivery`,
      summary: item.post?.summary ?? event,
      schema: resolve(document, item.post?.requestBody?.content['application/json']?.schema ?? {}),
    }));

/** Says in words what a method does: its summary, description, path and scope. */
export function describeMethod({ operation, verb, path }: MethodModel): string {
  const { 'x-scope': access } = operation;
  const scope = { 'signed-in': '', operator: ', for operators' }[access] ?? `, scope \`${access}\``;
  const text = [`${operation.summary}.`, operation.description, `\`${verb} ${path}\`${scope}`];
  return text.filter(Boolean).join('\n\n');
}
