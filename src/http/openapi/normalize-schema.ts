import { formatNoteKey } from '../../base/codecs/field-messages.ts';
import { fallbackMeaningsKey, meaningsKey } from '../../base/codecs/meaning.ts';
import { requirementKey } from '../access/restricted-fields.ts';
import type { JsonSchema, JsonSchemas } from './types.ts';

/** Returns a copy of a schema with `change` applied to the schemas directly inside it. */
export function mapChildren(
  schema: JsonSchema,
  change: (child: JsonSchema, name?: string) => JsonSchema,
): JsonSchema {
  const copy = { ...schema };
  if (copy.properties) {
    copy.properties = Object.fromEntries(
      Object.entries(copy.properties).map(([name, child]) => [name, change(child, name)]),
    );
  }
  if (copy.items) copy.items = change(copy.items);
  if (typeof copy.additionalProperties === 'object') {
    copy.additionalProperties = change(copy.additionalProperties);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const options = copy[key];
    if (options) copy[key] = options.map((option) => change(option));
  }
  return copy;
}

/** Returns the name of the component that `$ref` points to, or the empty string. */
export const componentName = ({ $ref = '' }: JsonSchema) => $ref.split('/').at(-1) ?? '';

/**
 * Returns the record inside a response schema: without references, null, arrays, and the envelope
 * `{data}`.
 */
export function innerRecord(schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const name = componentName(schema);
  if (name !== '') return innerRecord(schemas[name] ?? {}, schemas);
  const present = nonNull(schema);
  if (present !== schema) return innerRecord(present, schemas);
  if (schema.items) return innerRecord(schema.items, schemas);
  const { data } = schema.properties ?? {};
  return data ? innerRecord(data, schemas) : schema;
}

/** Returns the non-null alternative of a nullable schema, if it has just one. */
function nonNull(schema: JsonSchema): JsonSchema {
  const options = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return options.length === 1 && options[0] ? options[0] : schema;
}

/** The spellings of a boolean in requests. The introduction of the document names them once. */
const isBooleanSpellings = ({ enum: values }: JsonSchema) =>
  values?.includes('true') === true && values.includes(0);

const isEmptyText = (schema: JsonSchema) => schema.const === '';

/** Keys that say something about a field rather than about its type. */
const fieldKeys = ['description', requirementKey, formatNoteKey] as const;

/**
 * Simplifies a schema as zod writes it. References point at the components; the bounds of safe
 * integers become the format `int64`. Objects stay open: a client that rejects unknown fields would
 * fail with each field that we add. Nested alternatives become one list, and descriptions inside a
 * nullable schema move to the field.
 */
export function normalizeSchema(schema: JsonSchema): JsonSchema {
  const { [fallbackMeaningsKey]: fallbacks = {}, ...copy } = mapChildren(
    withFieldMeanings(schema),
    normalizeSchema,
  );
  for (const [name, field] of Object.entries(copy.properties ?? {})) {
    const description = field.description ?? fallbacks[name];
    if (description !== undefined) field.description = description;
  }
  if (copy.$ref !== undefined) copy.$ref = copy.$ref.replace('#/$defs/', '#/components/schemas/');
  const isEmpty = Object.keys(copy.properties ?? {}).length === 0;
  if (copy.additionalProperties === false && !isEmpty) delete copy.additionalProperties;
  if (Number.isInteger(copy.const)) copy.type = 'integer';
  normalizeInteger(copy);
  return copy.anyOf ? normalizeAlternatives(copy, copy.anyOf) : copy;
}

/** Gives the properties of an object the meanings that `explain` stored with it. */
function withFieldMeanings({ [meaningsKey]: meanings, ...schema }: JsonSchema): JsonSchema {
  return meanings && schema.properties
    ? mapChildren(schema, (child, name = '') => {
        const description = meanings[name] ?? child.description;
        return description === undefined ? child : { ...child, description };
      })
    : schema;
}

function normalizeInteger(schema: JsonSchema) {
  if (schema.type !== 'integer') return;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) {
    delete schema.maximum;
    schema.format = 'int64';
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

function normalizeAlternatives(schema: JsonSchema, alternatives: JsonSchema[]): JsonSchema {
  const { anyOf: _, ...field } = schema;
  const options = alternatives
    .flatMap((option) => (option.anyOf && option.$ref === undefined ? option.anyOf : [option]))
    // An empty text in place of a value means that the value is absent, as null does.
    .filter((option) => !isBooleanSpellings(option) && !isEmptyText(option));
  const inner = options.filter(({ type }) => type !== 'null');
  const [only] = inner;
  for (const key of fieldKeys) {
    const said = [...alternatives, ...inner].find((option) => option[key] !== undefined);
    if (field[key] === undefined && said) Object.assign(field, { [key]: said[key] });
  }
  const isNullable = inner.length < options.length;
  const plain = inner.map(withoutFieldKeys);
  if (only === undefined || inner.length > 1) {
    return { ...field, anyOf: isNullable ? [...plain, { type: 'null' }] : plain };
  }
  const merged = { ...withoutFieldKeys(only), ...field };
  if (!isNullable) return merged;
  if (typeof merged.type === 'string' && !merged.enum && !merged.properties) {
    return { ...merged, type: [merged.type, 'null'] };
  }
  return { ...field, anyOf: [withoutFieldKeys(only), { type: 'null' }] };
}

function withoutFieldKeys(schema: JsonSchema): JsonSchema {
  const copy = { ...schema };
  for (const key of fieldKeys) delete copy[key];
  return copy;
}

/** Describes the requirement of a field. */
const requirementText = (requirement: string) =>
  requirement === 'api-key'
    ? 'Null for apps, and for API keys with chosen scopes.'
    : `For apps only with the scope ${requirement}.`;

/**
 * Ends the description of each field with how it is read, and who may see it. Fields without a
 * description get none.
 */
export function completeDescriptions(schema: JsonSchema): JsonSchema {
  const { [formatNoteKey]: note, ...copy } = mapChildren(schema, completeDescriptions);
  const { [requirementKey]: requirement, description } = copy;
  if (description === undefined) return copy;
  const sentences = [description, note, requirement && requirementText(requirement)];
  return { ...copy, description: sentences.filter(Boolean).join(' ') };
}
