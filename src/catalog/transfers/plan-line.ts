import { toFieldErrors } from '../../base/codecs/field-errors.ts';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import type { FieldErrors } from '../../base/errors.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import {
  countNewIds,
  newProductId,
  planCreation,
  planUpdate,
  type ChangedProduct,
  type PlannedCreation,
  type PlannedUpdate,
} from '../products/write-products.ts';
import { findSku, planSkuChanges, type SentSku } from '../skus/plan-skus.ts';
import { maxSkusPerProduct, NewSku } from '../skus/requests.ts';
import { stockErrors } from '../skus/update-stock.ts';
import { nextFreeSlug } from '../slug-queries.ts';
import type { MovedStock } from '../stock/stock.ts';
import { type ImportRules, type ParsedLine, NewProductLine, ProductLine } from './parse-line.ts';
import type { StoreFacts } from './store-facts.ts';

/** The outcome of a line. */
export type LinePlan =
  | { outcome: 'created'; plan: PlannedCreation }
  | ({ outcome: 'updated' | 'unchanged'; plan?: PlannedUpdate | undefined } & StockPlan)
  | { outcome: 'skipped' }
  | { outcome: 'failed'; errors: FieldErrors; isAboutNames?: boolean };

/** The stocks that a line sets, and the number of those that differ and stay. */
interface StockPlan {
  moved: readonly MovedStock[];
  left: number;
}

/**
 * Plans a line. `reserveIds` returns the last of so many new ids; `attempt` counts from 1 for
 * generated slugs.
 */
interface PlanInput {
  db: StoreDb;
  facts: StoreFacts;
  rules: ImportRules;
  reserveIds: (count: number) => Promise<number>;
  attempt: number;
}

/**
 * The product that a line changes: the one with its id, else with its slug, else with its first SKU
 * that the store has.
 */
export const findProduct = (
  facts: StoreFacts,
  { knownSkus }: ImportRules,
  line: Pick<ParsedLine, 'id' | 'slug' | 'skuKeys'>,
) =>
  findNamed(facts, line) ??
  (knownSkus === 'change' ? facts.productById.get(ownersOf(facts, line)[0] ?? 0) : undefined);

const findNamed = (facts: StoreFacts, { id, slug }: Pick<ParsedLine, 'id' | 'slug'>) =>
  (id === undefined ? undefined : facts.productById.get(id)) ??
  (slug === undefined ? undefined : facts.productBySlug.get(slug));

/** The products that have the SKUs of a line. */
const ownersOf = ({ skuByKey }: StoreFacts, { skuKeys }: Pick<ParsedLine, 'skuKeys'>) =>
  skuKeys.flatMap((key) => skuByKey.get(key)?.product_id ?? []);

/** Plans the change of a line, with the rules of POST and PUT of products. */
export function planLine(input: PlanInput, line: ParsedLine): LinePlan | Promise<LinePlan> {
  if (line.errors) return failed(line.errors);
  if (line.refused.length > 0) return failed({});
  const { facts, rules } = input;
  const product = findProduct(facts, rules, line);
  if (product) return planChange(input, line, product);
  const isSkipped = rules.knownSkus === 'skip' && ownersOf(facts, line).length > 0;
  return isSkipped ? { outcome: 'skipped' } : planNew(input, line);
}

const failed = (errors: FieldErrors): LinePlan => ({ outcome: 'failed', errors });

const takenNames = (errors: FieldErrors): LinePlan => ({
  outcome: 'failed',
  errors,
  isAboutNames: true,
});

async function planNew(input: PlanInput, line: ParsedLine): Promise<LinePlan> {
  const { db, facts, attempt } = input;
  const { rules, sent } = { ...input, ...line };
  // The line is about a SKU, and has nothing that a new product could be made of.
  if (rules.knownSkus !== 'refuse' && sent['name'] === undefined && line.skuKeys.length > 0)
    return failed({ 'skus.0.sku': ['No such SKU in this store.'] });
  const parsed = NewProductLine.safeParse({ ...line.fresh, ...sent });
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
  const { db, facts, rules } = input;
  const parsed = ProductLine.safeParse(line.sent);
  if (!parsed.success) return failed(toFieldErrors(parsed.error));
  const { id: _, skus: sentSkus = [], ...changes } = parsed.data;
  const unknown = unknownReferences(facts, changes);
  if (unknown) return failed(unknown);
  const taken = {
    ...takenSlug(facts, product, changes.slug),
    ...takenSkus(facts, sentSkus, product.skus.data),
  };
  if (Object.keys(taken).length > 0) return takenNames(taken);
  const { sent, errors } = matchSkus(product, sentSkus, line.sent);
  if (errors) return failed(errors);
  const stocks = planStocks(facts, rules, sent, sentSkus);
  if (Object.keys(stocks.errors).length > 0) return failed(stocks.errors);
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
  if (plan) plan.product.skus = { data: plan.product.skus.data.map(withMoved(stocks.moved)) };
  const isChanged = plan !== undefined || stocks.moved.length > 0;
  return { outcome: isChanged ? 'updated' : 'unchanged', plan, ...stocks };
}

/** A SKU as its events show it after its stock was set. */
const withMoved =
  (moved: StockPlan['moved']) =>
  <Sku extends { id: number; total_in_stock?: number }>(sku: Sku): Sku => {
    const { stock, move } = moved.find((one) => one.stock.sku_id === sku.id) ?? {};
    if (!stock || !move) return sku;
    const units = move.delta ?? (move.quantity ?? 0) - stock.quantity;
    return { ...sku, total_in_stock: (sku.total_in_stock ?? 0) + units };
  };

/**
 * Compares the quantities of a line with the stock of SKUs that exist: new ones get theirs with the
 * SKU.
 */
function planStocks(
  { stockBySku }: StoreFacts,
  { setsStock }: ImportRules,
  sent: readonly SentSku[],
  sentSkus: NonNullable<ProductLine['skus']>,
): StockPlan & { errors: FieldErrors } {
  const moved: MovedStock[] = [];
  const errors: FieldErrors = {};
  let left = 0;
  for (const [index, { stored }] of sent.entries()) {
    const { quantity, quantity_before: before } = sentSkus[index] ?? {};
    const stock = stockBySku.get(stored?.id ?? 0);
    if (!stock || quantity === undefined) continue;
    const change = before === undefined ? { quantity } : { delta: quantity - before };
    if (quantity === stock.quantity || quantity === before) continue;
    const found = setsStock ? stockErrors(stock, change) : undefined;
    if (found) errors[`skus.${index}.quantity`] = Object.values(found).flat();
    else if (setsStock) moved.push({ stock, move: { id: stock.id, ...change } });
    else left += 1;
  }
  return { moved, left, errors };
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
    const { id: _i, quantity: _q, quantity_before: _b, ...changes } = one;
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
  sentSkus: readonly { id?: number | undefined; sku?: string | undefined }[],
  stored: ChangedProduct['skus']['data'],
): FieldErrors | undefined {
  const entries = sentSkus.flatMap((one, index) => {
    const owner = one.sku === undefined ? undefined : skuByKey.get(nameKey(one.sku));
    const isTaken = owner !== undefined && owner.id !== findSku(stored, one)?.id;
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
