import type { Components, JsonSchema } from '../../http/openapi/types.ts';
import { followReferences } from './compact-schema.ts';

/** The record that an answer has, or lists. */
interface AnsweredRecord {
  isList: boolean;
  properties: Readonly<Record<string, JsonSchema>>;
}

/** Finds the record of an answer: the items of a list, or what the envelope holds. */
export function readRecord(
  answer: JsonSchema | undefined,
  schemas: Components['schemas'],
): AnsweredRecord {
  if (!answer) return { isList: false, properties: {} };
  const envelope = followReferences(answer, schemas);
  const data = envelope.properties?.data;
  const inner = data ? followReferences(data, schemas) : envelope;
  // A page has `meta`; a list of one record has not.
  const isList = inner.items !== undefined;
  const record = inner.items ? followReferences(inner.items, schemas) : inner;
  const variants = record.oneOf ?? record.anyOf ?? [];
  const properties =
    record.properties ?? followReferences(variants[0] ?? {}, schemas).properties ?? {};
  return { isList, properties };
}

/** How many fields of a record are shown when its caller names none. */
export const maxFields = 12;

/** Fields that identify a record and show its state, the most specific first. */
const tellingNames: readonly RegExp[] = [
  /^(?:id|seq|number)$/,
  /^(?:name|title|first_name|last_name|label|alias|key)$/,
  /^(?:event|action|status|state|active|approved|cancelled)$/,
  /^(?:sku|slug|code|email|url|message|description)$/,
  /^(?:value_total|amount|total|price_sale|price|balance|quantity|total_in_stock|total_items|value)$/,
  /^(?:time|at|created_at|line|field|error)$/,
  /^(?:customer_id|order_id|product_id|sku_id|brand_id|parent_id|customer|tracking_data|actor|target)$/,
  /^(?:receiver|street|city|zipcode|type|updated_at)$/,
];

/**
 * Whether a field is one value, or a few; what is in a relation is asked for. A date becomes one
 * text.
 */
function isShort(field: JsonSchema, schemas: Components['schemas']): boolean {
  const { type, items, properties, anyOf } = followReferences(field, schemas);
  if (properties) return 'timezone_type' in properties;
  if (anyOf) return anyOf.every((option) => isShort(option, schemas));
  if (items) return followReferences(items, schemas).type === 'string';
  return type !== undefined && type !== 'object' && type !== 'array';
}

/**
 * Returns the fields of a record that are shown when its caller names none. A short record is shown
 * whole: half of it would cost a second call.
 */
export function mainFieldsOf(
  properties: Readonly<Record<string, JsonSchema>>,
  schemas: Components['schemas'],
): string[] {
  const names = Object.keys(properties);
  const short = names.filter((name) => isShort(properties[name] ?? {}, schemas));
  const isWhole = short.length <= maxFields + 2;
  const rank = (name: string) => {
    const index = tellingNames.findIndex((pattern) => pattern.test(name));
    return index === -1 ? tellingNames.length : index;
  };
  const telling = names
    .toSorted((one, other) => rank(one) - rank(other))
    .filter((name, at) => rank(name) < tellingNames.length || at < 4);
  const shown = new Set([...telling.slice(0, maxFields), ...(isWhole ? short : [])]);
  // In the order of the record.
  return names.filter((name) => shown.has(name));
}
