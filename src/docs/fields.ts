import type { Schema, Schemas } from '../http/openapi-types.ts';
import type { FieldProps } from '../pages/docs-props.ts';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 });

/** The members of an object as lines of a table, those of nested objects with dotted names. */
export function fieldsOf(schema: Schema, prefix = ''): FieldProps[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([member, inner]) => {
    const name = prefix + member;
    const line = fieldOf(name, inner, required.includes(member));
    const core = withoutNull(inner);
    const items = core.items && withoutNull(core.items);
    if (core.properties) return [line, ...fieldsOf(core, `${name}.`)];
    return items?.properties ? [line, ...fieldsOf(items, `${name}[].`)] : [line];
  });
}

/** One line of a table. */
export function fieldOf(name: string, schema: Schema, required: boolean): FieldProps {
  const core = withoutNull(schema);
  const record = recordOf(core) || recordOf(core.items ?? {});
  return {
    name,
    type: `${typeOf(core)}${isNullable(schema) ? ' or null' : ''}`,
    ...(record !== '' && { href: `#record-${record}` }),
    required,
    preset: schema.default === undefined ? '' : JSON.stringify(schema.default),
    limits: limitsOf(core),
    description: core.description ?? schema.description ?? '',
  };
}

/** Name of the record that a schema refers to, or empty. */
export const recordOf = ({ $ref = '' }: Schema) => $ref.split('/').at(-1) ?? '';

/** Looks up the schema that a reference names. */
export const resolved = (schema: Schema, named: Schemas): Schema =>
  schema.$ref === undefined ? schema : (named[recordOf(schema)] ?? {});

function withoutNull(schema: Schema): Schema {
  const first = schema.anyOf?.find(({ type }) => type !== 'null');
  if (first) return withoutNull(first);
  if (!Array.isArray(schema.type)) return schema;
  return { ...schema, type: schema.type.find((name) => name !== 'null') ?? 'null' };
}

const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) || anyOf.some((one) => one.type === 'null');

function typeOf(schema: Schema): string {
  const record = recordOf(schema);
  if (record !== '') return record;
  if (schema.format === 'uri') return 'URL';
  if (schema.format === 'email') return 'e-mail address';
  if (schema.type === 'array') {
    return schema.items ? `array of ${typeOf(withoutNull(schema.items))}` : 'array';
  }
  if (schema.type === 'string') return 'text';
  return String(schema.type ?? typeof (schema.const ?? schema.enum?.[0] ?? {}));
}

function limitsOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems } = schema;
  const sentences = [
    range(minLength, maxLength, 'character'),
    range(minimum, maximum),
    exclusiveMinimum === undefined ? '' : `above ${whole.format(exclusiveMinimum)}`,
    range(minItems || undefined, maxItems, 'item'),
    schema.const === undefined ? '' : `always ${JSON.stringify(schema.const)}`,
    schema.enum && schema.enum.length <= 6 ? `one of ${schema.enum.map(String).join(', ')}` : '',
    schema.pattern === undefined ? '' : `pattern ${schema.pattern}`,
    schema.items?.enum ? `each one of ${schema.items.enum.map(String).join(', ')}` : '',
  ].filter((sentence) => sentence !== '');
  const joined = sentences.join('; ');
  return joined === '' ? '' : `${joined.charAt(0).toUpperCase()}${joined.slice(1)}.`;
}

function range(low: number | undefined, high: number | undefined, unit = ''): string {
  const words = unit === '' ? '' : ` ${unit}${(high ?? low) === 1 ? '' : 's'}`;
  if (low !== undefined && high !== undefined) {
    return `${whole.format(low)} to ${whole.format(high)}${words}`;
  }
  if (high !== undefined) return `at most ${whole.format(high)}${words}`;
  return low === undefined ? '' : `from ${whole.format(low)}${words}`;
}
