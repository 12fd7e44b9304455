import type * as z from 'zod';
import { Malformed, valueOf } from './column-kind.ts';
import type { Condition } from './condition.ts';
import { filterNames, readFilter } from './listing-filter.ts';
import type { Language, Listing } from './listing-options.ts';
import * as part from './listing-parts.ts';
import { readSearch, readSearchFields } from './search.ts';
import type { Comparison } from './search.ts';

type Query = Readonly<Record<string, string | string[]>>;

/** Reads all parameters of a list; each malformed one becomes an issue under its name. */
export function readListing(
  language: Language,
  query: Query,
  context: z.core.$RefinementCtx,
): Listing {
  const settle = <T>(name: string, value: T | Malformed, otherwise: T): T => {
    if (!(value instanceof Malformed)) return value;
    context.addIssue({ code: 'custom', message: value.sentence, path: [name] });
    return otherwise;
  };
  const read = <T>(name: string, otherwise: T, reader: (text: string) => T | Malformed): T => {
    const sent = Object.hasOwn(query, name) ? query[name] : undefined;
    if (sent === undefined) return otherwise;
    const value = typeof sent === 'string' ? reader(sent) : new Malformed('Must be sent once.');
    return settle(name, value, otherwise);
  };

  const descending =
    read('sortedBy', 'asc', (text) => part.readWord(['asc', 'desc'], text)) === 'desc';
  const keys = read('orderBy', ['id'], (text) => part.readOrderBy(language.sort, text));
  const order = keys.includes('id') ? keys.slice(0, keys.indexOf('id') + 1) : [...keys, 'id'];

  const all: Condition[] = [];
  const demand = (condition: Condition | undefined) => condition && all.push(condition);
  const { search, dates, parents } = language;
  const join = read<'and' | 'or'>('searchJoin', 'and', (text) =>
    part.readWord(['and', 'or'], text),
  );
  const comparisons = read('searchFields', new Map<string, Comparison>(), (text) =>
    readSearchFields(search, text),
  );
  demand(
    read<Condition | undefined>('search', undefined, (text) =>
      readSearch(search, comparisons, join, text),
    ),
  );
  demand(read<Condition | undefined>('date', undefined, (text) => part.readDate(dates, text)));
  for (const [name, filter] of Object.entries(language.filters ?? {})) {
    const texts = filterNames(name, filter).flatMap((sent) => query[sent] ?? []);
    const value =
      texts.length > 1 && filter.kind !== 'any'
        ? new Malformed('Must be sent once.')
        : readFilter(filter, texts);
    demand(settle(name, value, undefined));
  }
  if (parents !== undefined && read('onlyParents', false, (text) => valueOf('bool', text))) {
    demand({ column: parents, is: 'null' });
  }

  const { includes = [], closedIncludes = [] } = language;
  const included = read('include', [], (text) => part.readInclude(includes, text));
  const closed = language.closedIncludes
    ? read('includes', [], (text) => part.readClosedIncludes(closedIncludes, text))
    : [];
  return {
    page: read('page', 1, part.readPage),
    perPage: read('limit', language.perPage ?? 10, part.readLimit),
    order: order.map((column) => ({ column, descending })),
    where: { all },
    includes: [...new Set([...included, ...closed])],
  };
}
