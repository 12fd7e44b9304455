import type { JsonSchema, OpenApiDocument } from '../../http/openapi/types.ts';
import type { MethodModel } from '../naming/model.ts';
import { isDateText } from './type-text.ts';

/**
 * Returns the names of all received fields that are dates as texts. The client finds them by name, so a name must mean a date
 * everywhere: throws if it is also that of another text.
 */
export function findDateFields(
  document: OpenApiDocument,
  methods: readonly MethodModel[],
): string[] {
  const dates = new Set<string>();
  const others = new Set<string>();
  const visit = (schema: JsonSchema, name: string) => {
    if ([schema.type].flat().includes('string') && !schema.enum && schema.const === undefined) {
      (isDateText(schema) ? dates : others).add(name);
    }
    for (const [key, field] of Object.entries(schema.properties ?? {})) visit(field, key);
    for (const member of [
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
    ]) {
      visit(member, name);
    }
    if (schema.items) visit(schema.items, name);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (name !== 'DateTime' && isReceived(name)) visit(schema, '');
  }
  for (const { record } of methods) visit(record, '');
  for (const item of Object.values(document.webhooks)) {
    for (const { requestBody } of Object.values(item)) {
      for (const { schema } of Object.values(requestBody?.content ?? {})) visit(schema, '');
    }
  }
  for (const name of dates) {
    if (others.has(name)) throw new Error(`The text "${name}" is a date in some records only.`);
  }
  return [...dates].sort();
}

/** Whether a named schema is one of responses. Those of requests end in these words. */
const isReceived = (name: string) => !/(?:Input|Patch|Line)$/.test(name);
