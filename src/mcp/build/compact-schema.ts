import { referencedName } from '../../http/openapi/model.ts';
import type { Components, JsonSchema } from '../../http/openapi/types.ts';
import type { ToolSchema } from '../tool.ts';

/** An enumeration with more values becomes a sentence. */
const maxValues = 20;

/** Objects below this depth are described, not spelled out. */
const maxDepth = 6;

/** The keywords of a schema that a model can use; all others cost it tokens. */
const keptKeywords = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'const',
  'format',
] as const satisfies (keyof JsonSchema)[];

/** Formats that say more than the type. */
const saidFormats: ReadonlySet<unknown> = new Set(['date', 'date-time', 'email', 'uri']);

/** Follows references; what stands beside a reference wins. */
export function followReferences(schema: JsonSchema, schemas: Components['schemas']): JsonSchema {
  const { $ref, ...own } = schema;
  if ($ref === undefined) return schema;
  const target = schemas[referencedName($ref)];
  if (!target) throw new Error(`No schema at ${$ref}.`);
  return { ...followReferences(target, schemas), ...own };
}

/**
 * Returns a schema for the arguments of a tool: without references, examples, and all that a model
 * cannot use.
 */
export function compactSchema(
  schema: JsonSchema,
  schemas: Components['schemas'],
  depth = 0,
): ToolSchema {
  const whole = followReferences(schema, schemas);
  const compact: ToolSchema = { ...typeOf(whole), ...descriptionOf(whole) };
  for (const keyword of keptKeywords) {
    const value = whole[keyword];
    if (value === undefined || (keyword === 'format' && !saidFormats.has(value))) continue;
    compact[keyword] = value;
  }
  if (whole.enum && whole.enum.length <= maxValues) compact.enum = whole.enum;
  if (depth >= maxDepth) return compact;
  const below = (member: JsonSchema) => compactSchema(member, schemas, depth + 1);
  if (whole.properties) {
    compact.properties = mapValues(whole.properties, below);
    if (whole.required?.length) compact.required = whole.required;
  }
  if (whole.items) {
    const { description: said = '', ...items } = below(whole.items);
    const isRepeated = compact.description !== undefined && said.startsWith(compact.description);
    compact.items = said === '' || isRepeated ? items : { ...items, description: said };
  }
  const options = whole.anyOf ?? whole.oneOf;
  if (!options) return compact;
  const isNull = (option: JsonSchema) => option.type === 'null';
  const others = options.filter((option) => !isNull(option));
  const [only] = others;
  if (!only || others.length > 1) return { ...compact, anyOf: options.map(below) };
  // A value or null: the type says so in fewer words.
  const inner = below(only);
  const type = [inner.type ?? [], 'null'].flat();
  return { ...inner, ...compact, type: inner.type === undefined ? undefined : type };
}

const typeOf = ({ type }: JsonSchema): ToolSchema => (type === undefined ? {} : { type });

/** The description, with a sentence for an enumeration that is too long to be listed. */
function descriptionOf({ description, enum: values }: JsonSchema): ToolSchema {
  const sentence =
    values && values.length > maxValues
      ? `One of ${values.length} values, such as ${values.slice(0, 3).join(', ')}.`
      : undefined;
  const text = [description, sentence].filter(Boolean).join(' ');
  return text === '' ? {} : { description: text };
}

export const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From, name: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
