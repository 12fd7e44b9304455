/** The search itself. `search-box.ts` loads it on first use, with the entries of the language of the page. */
import MiniSearch from 'minisearch';
import type { SearchEntry } from './search-entry.ts';

export interface Found {
  title: string;
  section: string;
  address: string;
  text: string;
}

export type Finder = (query: string) => Found[];

const maxResults = 12;

/** Without case and accents, so that `paginacao` finds `paginação`. */
const fold = (term: string) => term.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Identifiers stay whole: `createWebhook`, `key_reused`. */
const splitWords = (text: string) => text.split(/[^\p{L}\p{N}_]+/u).filter(Boolean);

/** Loads the entries from an address, and returns a function that finds some of them. */
export async function createFinder(address: string): Promise<Finder> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const entries = (await response.json()) as SearchEntry[];
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['t', 's', 'x'],
    processTerm: fold,
    // Their parts count, too.
    tokenize: (text) => [
      ...splitWords(text),
      ...splitWords(text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')),
    ],
    searchOptions: {
      boost: { t: 4, s: 1.5 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      tokenize: splitWords,
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => {
    const results = index.search(query);
    const found = results.length > 0 ? results : index.search(query, { combineWith: 'OR' });
    return found.slice(0, maxResults).flatMap(({ id }) => {
      const entry = entries[Number(id)];
      return entry
        ? [{ title: entry.t, section: entry.s, address: entry.u, text: entry.x.slice(0, 90) }]
        : [];
    });
  };
}
