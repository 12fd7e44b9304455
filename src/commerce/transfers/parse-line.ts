import { recordId } from '../../base/codecs/fields/ids.ts';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { slug } from '../../base/codecs/fields/string-formats.ts';
import { line } from '../../base/codecs/fields/text.ts';
import { HttpError, type FieldErrors } from '../../base/errors.ts';
import { slugBase } from '../../data/queries/slugs.ts';
import { decodeJson } from '../../http/read-request.ts';
import type { FileLine } from './line-reader.ts';

/** A line as far as it is known before the store is read. */
export interface ParsedLine {
  number: number;
  /** The byte behind the line. */
  end: number;
  /** The object, not checked yet. */
  sent: Record<string, unknown>;
  /** Id and slug: they name the product. */
  id: number | undefined;
  slug: string | undefined;
  /** The text that the slug of a new product is derived from. */
  base: string | undefined;
  /** Keys of the names of its SKUs. */
  skuKeys: readonly string[];
  brandId: number | undefined;
  categoryIds: readonly number[];
  /** The records that it may write: the product, its SKUs, images and links. */
  records: number;
  /** The reason why the line cannot be imported, whatever the store has. */
  errors: FieldErrors | undefined;
}

const slugSchema = slug(255);
const nameSchema = line(255);
const skuSchema = line(60);
const idSchema = recordId();

/** Reads what a line refers to. Schemas check the rest once it is known whether the product exists. */
export function parseLine({ number, content, end }: FileLine): ParsedLine {
  const parsed = { number, end, ...noReferences };
  if (!content) return { ...parsed, errors: { line: ['Must have at most 1 MiB.'] } };
  let sent: unknown;
  try {
    sent = decodeJson(content, 'application/json');
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { ...parsed, errors: { line: error.errors?.['body'] ?? ['Must be valid JSON.'] } };
  }
  if (!isObject(sent)) return { ...parsed, errors: { line: ['Must be an object.'] } };
  const id = sent['id'] === undefined ? undefined : idSchema.safeParse(sent['id']);
  if (id && !id.success) {
    return { ...parsed, errors: { id: ['Must be a positive whole number.'] } };
  }
  const name = nameSchema.safeParse(sent['name']).data;
  return {
    ...parsed,
    sent,
    id: id?.data,
    slug: slugSchema.safeParse(sent['slug']).data,
    base: name === undefined ? undefined : slugBase(name, 'product'),
    skuKeys: skuKeysOf(sent['skus']),
    brandId: idSchema.safeParse(sent['brand_id']).data,
    categoryIds: idsOf(sent['categories_ids']),
    records:
      1 + ['skus', 'images', 'categories_ids'].reduce((sum, name) => sum + lengthOf(sent[name]), 0),
  };
}

const noReferences = {
  sent: {},
  id: undefined,
  slug: undefined,
  base: undefined,
  skuKeys: [],
  brandId: undefined,
  categoryIds: [],
  records: 1,
  errors: undefined,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);

/** More are an error of the line. */
const maxReferences = 1_000;

const idsOf = (value: unknown): number[] =>
  Array.isArray(value)
    ? value.slice(0, maxReferences).flatMap((id: unknown) => idSchema.safeParse(id).data ?? [])
    : [];

function skuKeysOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value.slice(0, maxReferences) : [];
  return items.flatMap((item) => {
    const name = isObject(item) ? skuSchema.safeParse(item['sku']).data : undefined;
    return name === undefined ? [] : [nameKey(name)];
  });
}

/** Keys that two lines must not share to be imported together: the later one may depend on the earlier one. */
export const sharedKeys = ({ id, slug: sentSlug, base, skuKeys }: ParsedLine): string[] => [
  ...(id === undefined ? [] : [`id:${id}`]),
  ...(sentSlug === undefined ? [] : [`slug:${sentSlug}`]),
  ...(sentSlug === undefined && base !== undefined ? [`slug:${base}`] : []),
  ...skuKeys.map((key) => `sku:${key}`),
];
