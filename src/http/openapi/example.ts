import {
  commonValues,
  conditionalMembers,
  preferredMembers,
  exampleValuesFor,
  usuallyNull,
} from './example-values.ts';
import { componentName } from './normalize-schema.ts';
import type { JsonSchema, JsonSchemas } from './types.ts';

interface ExampleContext {
  schemas: JsonSchemas;
  /** Name of the member that holds the value. */
  member: string;
  /** Preferred values of the record that contains it. */
  values: Record<string, unknown>;
  /** Whether it is of an operation that changes a record. */
  isChange: boolean;
}

/**
 * Builds a realistic example value of a schema: its required members, or the preferred ones if none
 * is required. `record` is the name of a record or an operation and selects values. A test checks
 * that the examples of all operations are valid. A change gives another name than a creation: names
 * are often taken once only.
 */
export function exampleFor(schema: JsonSchema, schemas: JsonSchemas, record = ''): unknown {
  const isChange = /^update[A-Z]/.test(record);
  return exampleValue(schema, { schemas, member: '', values: exampleValuesFor(record), isChange });
}

function exampleValue(schema: JsonSchema, context: ExampleContext): unknown {
  if (schema.$ref !== undefined) {
    const name = componentName(schema);
    const component = context.schemas[name] ?? {};
    // A named value, such as an enum, is still a member of the record around it.
    return exampleValue(
      component,
      component.properties ? { ...context, values: exampleValuesFor(name) } : context,
    );
  }
  if (schema.const !== undefined) return schema.const;
  if (context.values[context.member] === null) return null;
  if (schema.examples) return schema.examples[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return exampleValue(choices[0] ?? {}, context);
  const type = [schema.type ?? 'null'].flat()[0] ?? 'null';
  if (usuallyNull.test(context.member) && [schema.type].flat().includes('null')) return null;
  if (type === 'object') return exampleObject(schema, context);
  const known = namedValue(context, type);
  if (known !== undefined && satisfies(known, schema)) {
    const changed = context.isChange && context.member === 'name' ? `${String(known)} II` : known;
    return satisfies(changed, schema) ? changed : known;
  }
  if (type === 'null') return null;
  if (schema.enum) return schema.enum[0];
  if (type === 'array') {
    if (schema.maxItems === 0) return [];
    const member = context.member.replace(/s$/, '');
    return schema.items ? [exampleValue(schema.items, { ...context, member })] : [];
  }
  if (type === 'boolean') return true;
  return type === 'string' ? exampleText(schema) : exampleNumber(schema);
}

function exampleObject({ properties = {}, required = [] }: JsonSchema, context: ExampleContext) {
  const all = Object.keys(properties);
  const preferred = all.filter((name) => preferredMembers.includes(name));
  const optional = (preferred.length > 0 ? preferred : all).slice(0, 2);
  const included = required.length > 0 ? [...required, ...conditionalMembers] : optional;
  return Object.fromEntries(
    all
      .filter((member) => included.includes(member))
      .map((member) => [member, exampleValue(properties[member] ?? {}, { ...context, member })]),
  );
}

function namedValue({ member, values }: ExampleContext, type: string): unknown {
  if (matchesType(values[member], type)) return values[member];
  return commonValues.find(
    ([pattern, value]) => pattern.test(member) && matchesType(value, type),
  )?.[1];
}

function matchesType(value: unknown, type: string): boolean {
  if (Array.isArray(value)) return type === 'array';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function satisfies(value: unknown, schema: JsonSchema): boolean {
  if (schema.enum) return schema.enum.includes(value);
  if (Array.isArray(value)) {
    const { items } = schema;
    return (
      !items ||
      value.every((item) => matchesType(item, String(items.type)) && satisfies(item, items))
    );
  }
  if (typeof value === 'string') {
    const { maxLength = Infinity, pattern } = schema;
    return value.length <= maxLength && (!pattern || new RegExp(pattern).test(value));
  }
  const { minimum = -Infinity, maximum = Infinity } = schema;
  return typeof value !== 'number' || (value >= minimum && value <= maximum);
}

function exampleNumber({
  minimum = 0,
  exclusiveMinimum = -1,
  maximum = Infinity,
}: JsonSchema): number {
  return Math.min(Math.max(1, minimum, exclusiveMinimum + 1), maximum);
}

function exampleText({ format, minLength = 0 }: JsonSchema): string {
  if (format === 'uri') return 'https://example.com/';
  if (format === 'email') return 'ana@example.com';
  if (format === 'date-time') return '2031-03-05T12:04:07Z';
  return 'Example'.padEnd(minLength, 'x');
}
