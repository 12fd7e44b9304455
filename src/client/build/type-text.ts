import type { JsonSchema } from '../../http/openapi/types.ts';
import { nameOf } from '../naming/model.ts';

/** Whether a type is for values that are sent or for values that arrive. Sent ones are wider. */
export type Direction = 'sent' | 'received';

/** The example of every local date and time. */
const localDateExample = '2031-03-05 09:04:07';

/** Whether a text is a date and time, so that the client makes it a `Date`. */
export const isDateText = ({ format, examples }: JsonSchema): boolean =>
  format === 'date-time' || (examples?.includes(localDateExample) ?? false);

/** Named schemas that are dates. */
const isDateReference = (reference: string) => /^DateTime(?:Input)?$/.test(nameOf(reference));

/** Returns the TypeScript type of a schema. */
export function typeText(schema: JsonSchema, direction: Direction): string {
  return [...new Set(members(schema, direction))].join(' | ');
}

/** Returns the members of the union that a schema is. */
function members(schema: JsonSchema, direction: Direction): string[] {
  const { $ref, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return isDateReference($ref) ? ['Date'] : [nameOf($ref)];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
  const union = anyOf ?? oneOf;
  if (union) return union.flatMap((member) => members(member, direction));
  if (allOf) return [allOf.map((member) => `(${typeText(member, direction)})`).join(' & ')];
  return [type ?? []].flat().length > 0
    ? [type ?? []].flat().flatMap((one) => membersOf(one, schema, direction))
    : ['JsonValue'];
}

function membersOf(type: string, schema: JsonSchema, direction: Direction): string[] {
  switch (type) {
    case 'string':
      if (!isDateText(schema)) return ['string'];
      return direction === 'sent' ? ['Date', 'string'] : ['Date'];
    case 'integer':
    case 'number':
      return ['number'];
    case 'boolean':
    case 'null':
      return [type];
    case 'array':
      return [arrayText(schema, direction)];
    case 'object':
      return [objectText(schema, direction)];
    default:
      throw new Error(`No TypeScript type for ${type}.`);
  }
}

function arrayText({ items = {} }: JsonSchema, direction: Direction): string {
  const item = typeText(items, direction);
  const element = /[ |&]/.test(item) && !/^\{[^]*\}$/.test(item) ? `(${item})` : item;
  return direction === 'sent' ? `readonly ${element}[]` : `${element}[]`;
}

function objectText(schema: JsonSchema, direction: Direction): string {
  const { properties, additionalProperties } = schema;
  if (properties) return `{\n${indent(fieldsText(schema, direction))}\n}`;
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  return `Record<string, ${typeText(values, direction)}>`;
}

/** Returns the fields of an object, each with its description. */
export function fieldsText(
  { properties = {}, required = [] }: JsonSchema,
  direction: Direction,
): string {
  return Object.entries(properties)
    .map(([name, field]) => {
      const isOptional = !required.includes(name);
      const type =
        typeText(field, direction) + (isOptional && direction === 'sent' ? ' | undefined' : '');
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      return `${comment(field.description)}${key}${isOptional ? '?' : ''}: ${type};`;
    })
    .join('\n');
}

/** Returns a doc comment, or nothing without a text. */
export function comment(text: string | undefined): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Indents every line that has a text. */
export const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
