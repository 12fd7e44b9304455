import { writerKey } from '../../base/codecs/written-outside.ts';
import type { Components, JsonSchema } from '../../http/openapi/types.ts';
import { followReferences } from './compact-schema.ts';

/** No record contains itself so often. */
const maxDepth = 8;

/** Finds where texts of third parties are in an answer, as paths such as `data.*.message`. */
export function findForeignTexts(schema: JsonSchema, schemas: Components['schemas']): string[] {
  const found = new Set<string>();
  const visit = (member: JsonSchema, path: readonly string[]) => {
    if (path.length > maxDepth) return;
    const whole = followReferences(member, schemas);
    if (whole[writerKey] !== undefined) {
      found.add(path.join('.'));
      return;
    }
    for (const option of [whole.anyOf, whole.oneOf, whole.allOf].flat()) {
      if (option) visit(option, path);
    }
    if (whole.items) visit(whole.items, [...path, '*']);
    for (const [field, inner] of Object.entries(whole.properties ?? {})) {
      visit(inner, [...path, field]);
    }
  };
  visit(schema, []);
  return [...found].sort();
}
