import { componentName, mapChildren } from '../../../src/http/openapi/normalize-schema.ts';
import type { JsonSchema, JsonSchemas } from '../../../src/http/openapi/types.ts';

/**
 * Returns a schema with its components in place of the references. For schemas that do not contain
 * themselves.
 */
export function inlineSchema(schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const { $ref, ...field } = schema;
  if ($ref === undefined) return mapChildren(schema, (child) => inlineSchema(child, schemas));
  const component = schemas[componentName(schema)];
  if (!component) throw new Error(`no component ${$ref}`);
  return { ...inlineSchema(component, schemas), ...field };
}
