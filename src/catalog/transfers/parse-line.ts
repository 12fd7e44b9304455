import type * as z from 'zod';
import { arrayOf, uniqueBy } from '../../base/codecs/fields/arrays-and-objects.ts';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { int } from '../../base/codecs/fields/scalars.ts';
import { slug } from '../../base/codecs/fields/string-formats.ts';
import { line } from '../../base/codecs/fields/text.ts';
import { explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { HttpError, type FieldErrors } from '../../base/errors.ts';
import { decodeJson } from '../../http/read-request.ts';
import { productChangeFields, productFields, requiredFields } from '../products/requests.ts';
import { ProductSchema } from '../products/schema.ts';
import { changedSkuFields, maxQuantity, maxSkusPerProduct, NewSku } from '../skus/requests.ts';
import { SkuSchema } from '../skus/schema.ts';
import { slugBase } from '../slug-queries.ts';
import type { CellError, FileLine } from './line-reader.ts';
import type { TableLine } from './table-lines.ts';
import type { Transfer } from './transfer-job.ts';

const max = maxSkusPerProduct;

/**
 * A SKU in a line: one of the product by its `id` or `sku`, else a new one with its first
 * `quantity`.
 */
const SkuLine = requestBodies({
  optional: {
    id: [recordId().describe('Id of a SKU of this product; without one, sku says which.'), 1],
    ...changedSkuFields,
    quantity: [
      int(0, maxQuantity).describe(
        'First stock of a new SKU. That of a SKU that exists stays, unless stock is set.',
      ),
      0,
    ],
    quantity_before: [
      int(0, maxQuantity).describe(
        'Stock when the file was made. What quantity differs from it is added or taken, unless quantity is the stock already.',
      ),
      0,
    ],
  },
}).put;

/* @__PURE__ */ explainBody(SkuLine, SkuSchema, {
  ImportSkuInput: 'A SKU of the product: one that it has, or a new one.',
});

const skus = arrayOf(SkuLine, { max }).superRefine(
  uniqueBy(({ sku, id }) => (sku === undefined ? id : nameKey(sku)), 'sku'),
);

/** A line that changes a product. Fields that it does not have stay. */
export const ProductLine = requestBodies({
  optional: {
    id: [recordId().describe('Id of the product to change; without one, slug says which.'), 1],
    ...productChangeFields,
    skus: [skus.describe('All SKUs of the product.'), []],
  },
}).put;

/* @__PURE__ */ explainBody(ProductLine, ProductSchema, {
  ImportInput:
    'One line of the file: a product to create, or to change if it exists, with all its SKUs.',
});

const newSkus = arrayOf(NewSku, { max }).superRefine(uniqueBy(({ sku }) => nameKey(sku), 'sku'));

/** A line that creates a product. */
export const NewProductLine = requestBodies({
  required: requiredFields,
  optional: { ...productFields, skus: [newSkus, []] },
}).post;

export type ProductLine = z.output<typeof ProductLine>;

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
  /** Ids of its SKUs. */
  skuIds: readonly number[];
  /** Whether a SKU has a quantity: the stock of those that exist is then read. */
  hasQuantity: boolean;
  brandId: number | undefined;
  /**
   * The name of the brand, and the values of a new product that no column has, in a line of a
   * table.
   */
  brand: string | undefined;
  fresh: TableLine['fresh'];
  categoryIds: readonly number[];
  /** The row of each SKU, in a line of a table. */
  rows: readonly number[];
  /** Cells of a table that could not be read. */
  refused: readonly CellError[];
  /** The last row of the product in a table, else the line. */
  last: number;
  /** The records that it may write: the product, its SKUs, images and links. */
  records: number;
  /** The reason why the line cannot be imported, whatever the store has. */
  errors: FieldErrors | undefined;
}

/** The choices of the person or the program that began an import. */
export interface ImportRules {
  /** Whether its products have events. */
  hasEvents: boolean;
  /** Whether the lines are those of a table. */
  fromTable: boolean;
  /** The outcome of a line that names no product, but a SKU that the store has. */
  knownSkus: Transfer['known_skus'];
  /** Whether it sets the stock of SKUs that exist. */
  setsStock: boolean;
}

export const rulesOf = (transfer: Transfer): ImportRules => ({
  hasEvents: transfer.product_events,
  fromTable: transfer.from_table,
  knownSkus: transfer.known_skus,
  setsStock: transfer.stock === 'set',
});

const slugSchema = slug(255);
const nameSchema = line(255);
const skuSchema = line(60);
const idSchema = recordId();

/**
 * Reads what a line refers to, one of a table or one that a caller sent. Schemas check the rest
 * once it is known whether the product exists.
 */
export function parseLine({ number, content, end }: FileLine, fromTable = false): ParsedLine {
  let parsed = { number, end, last: number, ...noReferences };
  if (!content) return { ...parsed, errors: { line: ['Must have at most 1 MiB.'] } };
  let sent: unknown;
  try {
    sent = decodeJson(content, 'application/json');
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { ...parsed, errors: { line: error.errors?.['body'] ?? ['Must be valid JSON.'] } };
  }
  if (fromTable) {
    const { product, refused = [], ...more } = sent as TableLine;
    parsed = { ...parsed, ...more, refused };
    sent = product;
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
    skuIds: skusOf(sent['skus']).flatMap((sku) =>
      isObject(sku) ? (idSchema.safeParse(sku['id']).data ?? []) : [],
    ),
    hasQuantity: skusOf(sent['skus']).some((sku) => isObject(sku) && 'quantity' in sku),
    brandId: idSchema.safeParse(sent['brand_id']).data,
    categoryIds: idsOf(sent['categories_ids']),
    records:
      1 + ['skus', 'images', 'categories_ids'].reduce((sum, name) => sum + lengthOf(sent[name]), 0),
  };
}

const noReferences: Omit<ParsedLine, 'number' | 'end' | 'last'> = {
  sent: {},
  id: undefined,
  slug: undefined,
  base: undefined,
  skuKeys: [],
  skuIds: [],
  hasQuantity: false,
  brandId: undefined,
  brand: undefined,
  fresh: {},
  categoryIds: [],
  rows: [],
  refused: [],
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

const skusOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.slice(0, maxReferences) : [];

const skuKeysOf = (value: unknown): string[] =>
  skusOf(value).flatMap((item) => {
    const name = isObject(item) ? skuSchema.safeParse(item['sku']).data : undefined;
    return name === undefined ? [] : [nameKey(name)];
  });

/**
 * Keys that two lines must not share to be imported together: the later one may depend on the
 * earlier one.
 */
export const sharedKeys = ({ id, slug: sentSlug, base, skuKeys }: ParsedLine): string[] => [
  ...(id === undefined ? [] : [`id:${id}`]),
  ...(sentSlug === undefined ? [] : [`slug:${sentSlug}`]),
  ...(sentSlug === undefined && base !== undefined ? [`slug:${base}`] : []),
  ...skuKeys.map((key) => `sku:${key}`),
];
