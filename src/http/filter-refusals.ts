import type { Operation, QueryDefinition } from './operation.ts';

/** Parameters of a list that choose no records. */
const withoutChoice: ReadonlySet<string> = new Set(
  'page limit cursor after_id orderBy sortedBy skipCache include includes searchFields searchJoin'.split(
    ' ',
  ),
);

/** All filters of all lists. */
export const namesOfFilters: readonly string[] = `
  action active actor_id actor_kind alias anonymized approved banners_ids below blocked_sale brand_id
  canonical_url category_id city client_id cnpj collection_id comment_id country cpf customer_id date
  email event external_url featured first_name flag_id from home host id installments is_visible kind
  last_name name navigation number onlyParents operation operator order_id owner parent_id payment_id
  phone product_id q required search searchable seo_description seo_keywords seo_title service sku
  slug state status status_id to track_code type url zipcode`
  .trim()
  .split(/\s+/);

/**
 * Comparisons that other interfaces write behind the name of a field, such as `created_at_min` or
 * `status__in`.
 */
const comparison =
  /_+(?:min|max|from|to|gte?|lte?|eq|neq?|n?in|not|i?like|i?contains|i?exact|after|before|since|until|start|end)$/i;

/** A name without regard to letter case, `_` and `-`. */
const plainName = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase();

/**
 * Returns why a parameter is refused that an operation does not have; `undefined` if it may be
 * ignored. It is refused if it resembles one that the operation has or, in a list, a filter.
 * Without it, records would come that nobody asked for.
 */
export function filterRefusals({
  method,
  query,
  reply,
}: Operation): (name: string) => string | undefined {
  const { parameters = [], dates = [] } = query ?? {};
  const known = new Map(parameters.map(({ name }) => [plainName(name), name]));
  const foreign =
    method === 'GET' && reply.isList ? [...reply.recordFields, ...namesOfFilters] : [];
  const looksLike = new Map(foreign.map((name) => [plainName(name), name]));
  const filters = parameters.map(({ name }) => name).filter((name) => !withoutChoice.has(name));
  return (sent) => {
    // The words of `filter[status]`, `search.name` and `created_at[gte]`; 50 are more than any name
    // has.
    const words = sent.split(/[^\w-]+/, 50).flatMap((word) => {
      const plain = plainName(word);
      return [plain, plainName(word.replace(comparison, '')), plain.replace(/s$/, '')];
    });
    const found = words.find((word) => known.has(word) || looksLike.has(word)) ?? '';
    const name = known.get(found);
    if (name !== undefined) return `Must be sent as ${exampleOf(name, parameters)}.`;
    const field = looksLike.get(found);
    if (field === undefined) return undefined;
    if (dates.includes(field)) return `Must be sent as ${dateExample(field)}.`;
    if (filters.length === 0) return 'Must not be sent: this list has no filters.';
    // The language of lists comes last: `active=true` is the better example.
    const names = filters.toSorted((a, b) => Number(isLanguage(a)) - Number(isLanguage(b)));
    return `Must not be sent: this list is filtered by ${names.join(', ')}, as in ${exampleOf(names[0], parameters)}.`;
  };
}

const isLanguage = (name: string) => name === 'search' || name === 'date';

const dateExample = (field: string) => `date=${field}:2031-03-05`;

/** A parameter with a good value, or only its name where each shop has values of its own. */
function exampleOf(name = '', parameters: QueryDefinition<unknown>['parameters'] = []): string {
  if (name === 'date') return dateExample('created_at');
  const { schema = {} } = parameters.find((parameter) => parameter.name === name) ?? {};
  const item = (schema.items ?? schema) as { enum?: readonly unknown[]; type?: string };
  const byType = { integer: 1, number: 1, boolean: true }[item.type ?? ''];
  const value = schema.default ?? item.enum?.[0] ?? byType;
  return value === undefined ? name : `${name}=${String(value)}`;
}
