import { referencedName } from '../../http/openapi/model.ts';
import type { Components, JsonSchema } from '../../http/openapi/types.ts';
import { followReferences } from './compact-schema.ts';

/**
 * The fields of records that people outside the store write: buyers, guests, their banks, and the receivers of
 * webhooks. `everything` stands for each text of the record, however deep.
 */
const foreignFields: Readonly<Record<string, readonly string[] | 'everything'>> = {
  ProductComment: ['name', 'email', 'message'],
  ProductCommentAnswer: ['name', 'email', 'message'],
  Customer: ['email', 'first_name', 'last_name', 'cpf', 'cnpj', 'phone'],
  CustomerEvent: ['email', 'first_name', 'last_name', 'cpf', 'cnpj', 'phone'],
  CustomerExport: 'everything',
  Address: 'everything',
  OrderAddress: 'everything',
  MetadataPair: 'everything',
  Transaction: ['error_message', 'bank_name', 'holder_name', 'holder_document'],
  TransactionEvent: ['error_message', 'bank_name', 'holder_name', 'holder_document'],
  DeliveryAttempt: 'everything',
};

/** The same for fields that have these names in any record. */
const foreignNames = new Set([
  'tracking_data',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
]);

/** Fields whose texts are bodies of events: they hold parts of many records. */
const eventBodies: Readonly<Record<string, readonly string[]>> = { DeliveryDetails: ['body'] };

const isEventOfFeed = (name: string) => name.endsWith('FeedEvent');

/** No record contains itself so often. */
const maxDepth = 8;

/** Finds where texts of third parties are in an answer, as paths such as `data.*.message`. */
export function findForeignTexts(schema: JsonSchema, schemas: Components['schemas']): string[] {
  const found = new Set<string>();
  const visit = (member: JsonSchema, path: readonly string[], record: string | undefined) => {
    if (path.length > maxDepth) return;
    const name = member.$ref === undefined ? record : referencedName(member.$ref);
    const whole = followReferences(member, schemas);
    if (name !== undefined && foreignFields[name] === 'everything') {
      found.add(path.join('.'));
      return;
    }
    for (const option of [whole.anyOf, whole.oneOf, whole.allOf].flat()) {
      if (option) visit(option, path, name);
    }
    if (whole.items) visit(whole.items, [...path, '*'], undefined);
    for (const [field, inner] of Object.entries(whole.properties ?? {})) {
      const place = [...path, field];
      if (isForeign(name, field)) found.add(place.join('.'));
      else visit(inner, place, undefined);
    }
  };
  visit(schema, [], undefined);
  return [...found].sort();
}

function isForeign(record: string | undefined, field: string): boolean {
  if (foreignNames.has(field)) return true;
  if (record === undefined) return false;
  if (isEventOfFeed(record)) return field === 'resource';
  return [foreignFields[record], eventBodies[record]].some((fields) => fields?.includes(field));
}
