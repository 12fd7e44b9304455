/**
 * The search itself. `search-box.ts` loads it on first use, with the entries of the language of the
 * page.
 */
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

/** With fewer results that have all words, others follow. */
const fewResults = 5;

/**
 * Words that say nothing of the subject, in the languages of the documentation, as `fold` returns
 * them.
 */
const stopWords = new Set(
  (
    'a an and are as at by can do does for from how i if in is it my of on or that the this through to what when with ' +
    'as com como da das de do dos e em eu na nas no nos o os ou para por que se um uma ' +
    'al con cual del el en la las lo los mi para por que se su un una y'
  ).split(' '),
);

/**
 * How much more a section of a guide counts than a row of the reference: who searches for a subject
 * wants to read about it.
 */
const guideBoost = 2;

/** How much more an entry counts whose title has all words of the question. */
const titleBoost = 2;

/** The title of a row of a table, such as the code of an error or the name of an event. */
const codeTitle = /^[a-z_.]+$/;

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
    fields: ['t', 'k', 's', 'x'],
    processTerm: fold,
    // Their parts count, too.
    tokenize: (text) => [
      ...splitWords(text),
      ...splitWords(text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')),
    ],
    searchOptions: {
      boost: { t: 4, k: 3, s: 1.5 },
      boostDocument: (id) => {
        const { u = '', t = '' } = entries[Number(id)] ?? {};
        return u.includes('/guides/') && !codeTitle.test(t) ? guideBoost : 1;
      },
      processTerm: (term) => (stopWords.has(fold(term)) ? undefined : fold(term)),
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      tokenize: splitWords,
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => {
    const asked = splitWords(query)
      .map(fold)
      .filter((word) => !stopWords.has(word));
    const hasAll = (title: string) => {
      const words = splitWords(title).map(fold);
      return asked.every((word) => words.some((one) => one.startsWith(word)));
    };
    const scoreOf = ({ id, score }: { id: number; score: number }) =>
      hasAll(entries[id]?.t ?? '') ? score * titleBoost : score;
    const whole = index.search(query).toSorted((one, other) => scoreOf(other) - scoreOf(one));
    const ids = new Set(whole.map(({ id }) => id));
    // Those with some of the words only fill up.
    const some =
      whole.length < fewResults
        ? index.search(query, { combineWith: 'OR' }).filter(({ id }) => !ids.has(id))
        : [];
    return [...whole, ...some].slice(0, maxResults).flatMap(({ id }) => {
      const entry = entries[Number(id)];
      return entry
        ? [{ title: entry.t, section: entry.s, address: entry.u, text: entry.x.slice(0, 90) }]
        : [];
    });
  };
}
