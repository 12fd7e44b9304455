import { describe, expect, it } from 'vitest';
import { writerKey } from '../../src/base/codecs/written-outside.ts';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';
import type { JsonSchema } from '../../src/http/openapi/types.ts';
import { followReferences } from '../../src/mcp/build/compact-schema.ts';

/**
 * Fields of answers that hold a text which members of the store, its programs or the service write.
 */
const ownFields = new Set(
  `access_key action advice alias allowed_values alt antifraud_score antifraud_status
  auth_type background_color bank_alias barcode billet_barcode billet_date billet_document_number billet_instructions
  billet_our_number billet_url billet_whatsapp_link buyer_installment_formated canonical_url cart_token
  category_cover changed code color count country current_page
  date description erp_id error errors event_id events
  expire_in external_url field from gateway_authorization_code help_link host icon_url
  id image_url installment_formated key_id left_out link logo_url
  meaning message method ml_category mobile_image_url name ncm network
  next operation order_number path per_page preview_url previous
  purchase_url reason redirect_url_billet redirect_url_card request_id resume_values secret_key sent
  seo_description seo_keywords seo_title service shipment_service sku slug slug_path
  sort_by statement_descriptor stopwatch_expires_in summary text_color time timezone title
  token total total_pages track_code track_url truncated_card type url
  url_path value values`.split(/\s+/),
);

const { components, paths } = getOpenApiDocument('Store', '/v2');

/** The fields of an answer that may hold any text, and that are not marked as written outside. */
function* textFields(schema: JsonSchema, field: string, depth = 0): Generator<string> {
  const whole = followReferences(schema, components.schemas);
  if (depth > 9 || whole[writerKey] !== undefined) return;
  const options = [whole.anyOf, whole.oneOf, whole.allOf].flat().filter((one) => one !== undefined);
  for (const option of options) yield* textFields(option, field, depth + 1);
  const isFree = whole.enum === undefined && whole.const === undefined && !whole.pattern;
  const isWord = ['date-time', 'date', 'uri'].includes(whole.format ?? '');
  if ([whole.type].flat().includes('string') && isFree && !isWord) yield field;
  const { items, additionalProperties: others, properties = {} } = whole;
  if (items) yield* textFields(items, field, depth + 1);
  if (typeof others === 'object') yield* textFields(others, field, depth + 1);
  for (const [name, member] of Object.entries(properties)) {
    yield* textFields(member, name, depth + 1);
  }
}

describe('each text of an answer', () => {
  it('is marked as written outside the store, or known as written inside', () => {
    const found = new Set<string>();
    for (const [path, item] of Object.entries(paths)) {
      if (!path.startsWith('/{alias}/')) continue;
      for (const { responses = {} } of Object.values(item)) {
        for (const [status, response] of Object.entries(responses)) {
          const schema =
            '$ref' in response ? undefined : response.content?.['application/json']?.schema;
          if (!schema || !status.startsWith('2')) continue;
          for (const field of textFields(schema, '')) found.add(field);
        }
      }
    }
    expect([...found].filter((field) => !ownFields.has(field))).toEqual([]);
    expect([...ownFields].filter((field) => !found.has(field))).toEqual([]);
  });
});
