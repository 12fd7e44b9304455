import type * as z from 'zod';
import { textRules } from '../../../src/base/codecs/fields/string-input.ts';
import { innerSchema, partsOf } from '../../../src/base/codecs/zod-adapter.ts';

/** A field of a body that takes a text. */
interface TextField {
  /** The dotted path that an error names; `0` is the first item of a list. */
  field: string;
  /** How its text is read; a field without a rule is an oversight. */
  rule: string | undefined;
  /** The schema of the field itself. */
  schema: z.ZodType;
}

/** Returns every field of a body that takes a text, including members of objects and lists. */
export function* textFields(
  schema: z.core.$ZodType,
  path: readonly string[] = [],
  member = schema,
): Generator<TextField> {
  const def = partsOf(schema);
  const inner = innerSchema(schema);
  if (def.type === 'string') {
    const { rule } = textRules.get(schema) ?? {};
    yield { field: path.join('.'), rule, schema: member as z.ZodType };
  } else if (def.type === 'object') {
    for (const [name, one] of Object.entries(def.shape)) yield* textFields(one, [...path, name]);
  } else if (def.type === 'array') {
    yield* textFields(def.element, [...path, '0']);
  } else if (def.type === 'union') {
    for (const option of def.options) yield* textFields(option, path, member);
  } else if (inner) {
    yield* textFields(inner, path, member);
  }
}
