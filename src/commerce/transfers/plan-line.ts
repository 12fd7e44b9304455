import {
  countNewIds,
  newProductId,
  planCreation,
  type PlannedCreation,
} from '../../api/products/plan-creation.ts';
import {
  planUpdate,
  type ChangedProduct,
  type PlannedUpdate,
} from '../../api/products/plan-update.ts';
import { findSku, planSkuChanges, type SentSku } from '../../api/skus/plan-changes.ts';
import { maxSkusPerProduct, NewSku } from '../../api/skus/requests.ts';
import { toFieldErrors } from '../../base/codecs/field-errors.ts';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import type { FieldErrors } from '../../base/errors.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { nextFreeSlug } from '../../data/queries/slugs.ts';
import type { ParsedLine } from './parse-line.ts';
import { NewProductLine, ProductLine } from './product-line.ts';
import type { StoreFacts } from './store-facts.ts';

/** The outcome of a line. */
export type LinePlan =
  | { outcome: 'created'; plan: PlannedCreation }
  | { outcome: 'updated'; plan: PlannedUpdate }
  | { outcome: 'unchanged' }
  | { outcome: 'failed'; errors: FieldErrors; isAboutNames?: boolean };

/** Plans a line. `reserveIds` returns the last of so many new ids; `attempt` counts from 1 for generated slugs. */
interface PlanInput {
  db: StoreDb;
  facts: StoreFacts;
  reserveIds: (count: number) => Promise<number>;
  attempt: number;
}

/** The product that a line changes: the one with its id, else the one with its slug. */
export const findProduct = (facts: StoreFacts, { id, slug }: ParsedLine) =>
  (id === undefined ? undefined : facts.productById.get(id)) ??
  (slug === undefined ? undefined : facts.productBySlug.get(slug));

/** Plans the change of a line, with the rules of POST and PUT of products. */
export function planLine(input: PlanInput, line: ParsedLine): LinePlan | Promise<LinePlan> {
  if (line.errors) return failed(line.errors);
  const product = findProduct(input.facts, line);
  return product ? planChange(input, line, product) : planNew(input, line);
}

const failed = (errors: FieldErrors): LinePlan => ({ outcome: 'failed', errors });

const takenNames = (errors: FieldErrors): LinePlan => ({
  outcome: 'failed',
  errors,
  isAboutNames: true,
});

async function planNew(input: PlanInput, line: ParsedLine): Promise<LinePlan> {
  const { db, facts, attempt } = input;
  const parsed = NewProductLine.safeParse(line.sent);
  if (!parsed.success) return failed(toFieldErrors(parsed.error));
  const body = parsed.data;
  const unknown = unknownReferences(facts, body);
  if (unknown) return failed(unknown);
  const taken = takenSkus(facts, body.skus, []);
  if (taken) return takenNames(taken);
  const lastId = await input.reserveIds(countNewIds(body));
  const base = line.base ?? 'product';
  const isBaseKnown = facts.highestSlug.has(base);
  const id = newProductId(body, lastId);
  const plan = planCreation(db, body, {
    // A line with an unknown id was not expected to need a slug, so its new id makes it unique.
    slug:
      body.slug ??
      nextFreeSlug(base, facts.highestSlug.get(base), isBaseKnown ? attempt : Infinity, id),
    brand: facts.brands.get(body.brand_id),
    categories: categoriesOf(facts, body.categories_ids),
    lastId,
  });
  return { outcome: 'created', plan };
}

async function planChange(
  input: PlanInput,
  line: ParsedLine,
  product: ChangedProduct,
): Promise<LinePlan> {
  const { db, facts } = input;
  const parsed = ProductLine.safeParse(line.sent);
  if (!parsed.success) return failed(toFieldErrors(parsed.error));
  const { id: _, skus: sentSkus = [], ...changes } = parsed.data;
  const unknown = unknownReferences(facts, changes);
  if (unknown) return failed(unknown);
  const { sent, errors } = matchSkus(product, sentSkus, line.sent);
  if (errors) return failed(errors);
  const taken = {
    ...takenSlug(facts, product, changes.slug),
    ...takenSkus(facts, sentSkus, sent),
  };
  if (Object.keys(taken).length > 0) return takenNames(taken);
  const newSkus = sent.filter((one) => !one.stored).length;
  const known = new Set(product.images.data.map(({ url }) => url));
  const newImages = (changes.images ?? []).filter(({ url }) => !known.has(url)).length;
  const count = newSkus + newImages;
  const lastId = count > 0 ? await input.reserveIds(count) : 0;
  const plan = planUpdate(db, product, changes, {
    brand: facts.brands.get(changes.brand_id ?? 0),
    categories: categoriesOf(facts, changes.categories_ids ?? []),
    lastImageId: lastId,
    skus: planSkuChanges(db, product.id, product.skus.data, sent, lastId - count + 1),
  });
  return plan ? { outcome: 'updated', plan } : { outcome: 'unchanged' };
}

/** Maps each SKU that was sent to one of the product; parses one without a match as new. */
function matchSkus(
  product: ChangedProduct,
  sentSkus: NonNullable<ProductLine['skus']>,
  raw: Record<string, unknown>,
): { sent: SentSku[]; errors?: FieldErrors } {
  const sent: SentSku[] = [];
  const errors: FieldErrors = {};
  const matched = new Set<number>();
  // The schema has accepted the list.
  const rawSkus = raw['skus'] as unknown[];
  for (const [index, one] of sentSkus.entries()) {
    const { id: _i, quantity: _q, ...changes } = one;
    const stored = findSku(product.skus.data, one);
    if (stored && matched.has(stored.id)) {
      errors[`skus.${index}.sku`] = ['Must not contain duplicates.'];
    } else if (stored) {
      matched.add(stored.id);
      sent.push({ stored, changes });
    } else {
      const parsed = NewSku.safeParse(rawSkus[index]);
      if (parsed.success) sent.push({ sku: parsed.data });
      else Object.assign(errors, prefixed(`skus.${index}.`, toFieldErrors(parsed.error)));
    }
  }
  const count = product.skus.data.length + sent.filter(({ stored }) => !stored).length;
  if (count > maxSkusPerProduct) {
    errors['skus'] = [`A product has at most ${maxSkusPerProduct} SKUs.`];
  }
  return Object.keys(errors).length > 0 ? { sent, errors } : { sent };
}

const prefixed = (prefix: string, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([field, texts]) => [prefix + field, texts]));

/** Errors of names that belong to other SKUs of this store. */
function takenSkus(
  { skuByKey }: StoreFacts,
  sentSkus: readonly { sku?: string | undefined }[],
  matched: readonly SentSku[],
): FieldErrors | undefined {
  const entries = sentSkus.flatMap(({ sku }, index) => {
    const owner = sku === undefined ? undefined : skuByKey.get(nameKey(sku));
    const isTaken = owner !== undefined && owner.id !== matched[index]?.stored?.id;
    return isTaken ? [[`skus.${index}.sku`, ['Already taken.']] satisfies [string, string[]]] : [];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function takenSlug(
  { productBySlug }: StoreFacts,
  { id }: ChangedProduct,
  slug: string | undefined,
): FieldErrors {
  const owner = slug === undefined ? undefined : productBySlug.get(slug);
  return owner && owner.id !== id ? { slug: ['Already taken.'] } : {};
}

function unknownReferences(
  facts: StoreFacts,
  sent: { brand_id?: number | null | undefined; categories_ids?: number[] | undefined },
): FieldErrors | undefined {
  const { brand_id, categories_ids = [] } = sent;
  const errors: FieldErrors = {};
  if (brand_id && !facts.brands.has(brand_id)) {
    errors['brand_id'] = ['No such brand in this store.'];
  }
  for (const [index, id] of categories_ids.entries()) {
    if (!facts.categories.has(id)) {
      errors[`categories_ids.${index}`] = ['No such category in this store.'];
    }
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}

/** The categories of a product as its relation has them: at most 100, by id. */
const categoriesOf = (facts: StoreFacts, ids: readonly number[]) =>
  ids
    .toSorted((a, b) => a - b)
    .slice(0, 100)
    .flatMap((id) => facts.categories.get(id) ?? []);
