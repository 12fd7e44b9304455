import type { JsonSchema, JsonSchemas } from '../../http/openapi/types.ts';
import { recordPath } from './doc-paths.ts';
import type { FieldDoc } from './props.ts';

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 });

/** Describes the properties of an object schema. Properties of nested objects have dotted names. */
export function describeFields(schema: JsonSchema, prefix = ''): FieldDoc[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([property, propertySchema]) => {
    const name = prefix + property;
    const field = describeField(name, propertySchema, required.includes(property));
    const nonNull = withoutNull(propertySchema);
    const items = nonNull.items && withoutNull(nonNull.items);
    if (nonNull.properties) return [field, ...describeFields(nonNull, `${name}.`)];
    return items?.properties ? [field, ...describeFields(items, `${name}[].`)] : [field];
  });
}

/** Describes one field or parameter. */
export function describeField(name: string, schema: JsonSchema, required: boolean): FieldDoc {
  const nonNull = withoutNull(schema);
  const record = recordName(nonNull) || recordName(nonNull.items ?? {});
  return {
    name,
    type: `${formatType(nonNull)}${isNullable(schema) ? ' or null' : ''}`,
    ...(record !== '' && { href: recordPath(record) }),
    required,
    defaultValue: schema.default === undefined ? '' : JSON.stringify(schema.default),
    limits: formatLimits(nonNull),
    description: schema.description ?? nonNull.description ?? '',
  };
}

/** Returns the name of the component that `$ref` points to, or the empty string. */
export const recordName = ({ $ref = '' }: JsonSchema) => $ref.split('/').at(-1) ?? '';

/** Returns the component that a schema refers to, or the schema itself. */
export function resolveSchema(schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const target = schemas[recordName(schema)];
  if (target) return resolveSchema(target, schemas);
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  return first && !schema.properties ? resolveSchema(first, schemas) : schema;
}

/** Returns the non-null alternative of a nullable schema. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const alternatives = schema.anyOf ?? schema.allOf ?? [];
  const alternative = alternatives.find(({ type }) => type !== 'null');
  if (alternative && alternatives.length <= 2) return withoutNull(alternative);
  if (!Array.isArray(schema.type)) return schema;
  return { ...schema, type: schema.type.find((type) => type !== 'null') ?? 'null' };
}

const isNullable = ({ type, anyOf = [] }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) || anyOf.some((schema) => schema.type === 'null');

function formatType(schema: JsonSchema): string {
  const record = recordName(schema);
  if (record !== '') return record;
  if (schema.format === 'uri') return 'URL';
  if (schema.format === 'email') return 'e-mail address';
  if (schema.type === 'array') {
    return schema.items ? `array of ${formatType(withoutNull(schema.items))}` : 'array';
  }
  if (schema.type === 'string') return 'text';
  return String(schema.type ?? typeof (schema.const ?? schema.enum?.[0] ?? {}));
}

function formatLimits(schema: JsonSchema): string {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems } = schema;
  const limits = [
    formatRange(minLength, maxLength, 'character'),
    formatRange(minimum, maximum),
    exclusiveMinimum === undefined ? '' : `above ${numberFormat.format(exclusiveMinimum)}`,
    formatRange(minItems || undefined, maxItems, 'item'),
    schema.const === undefined ? '' : `always ${JSON.stringify(schema.const)}`,
    schema.enum && schema.enum.length <= 6 ? `one of ${schema.enum.map(String).join(', ')}` : '',
    schema.pattern === undefined ? '' : `pattern ${schema.pattern}`,
    schema.items?.enum ? `each one of ${schema.items.enum.map(String).join(', ')}` : '',
  ].filter((limit) => limit !== '');
  const joined = limits.join('; ');
  return joined === '' ? '' : `${joined.charAt(0).toUpperCase()}${joined.slice(1)}.`;
}

function formatRange(low: number | undefined, high: number | undefined, unit = ''): string {
  const suffix = unit === '' ? '' : ` ${unit}${(high ?? low) === 1 ? '' : 's'}`;
  if (low !== undefined && high !== undefined) {
    return `${numberFormat.format(low)} to ${numberFormat.format(high)}${suffix}`;
  }
  if (high !== undefined) return `at most ${numberFormat.format(high)}${suffix}`;
  return low === undefined ? '' : `from ${numberFormat.format(low)}${suffix}`;
}
