import { languages, type Language } from '../../base/languages.ts';
import type { SearchEntry } from '../browser/search-entry.ts';
import { textOfHtml } from '../build/escape.ts';
import { replacePlaceholders } from '../placeholders.ts';
import { eventPath, recordPath } from './doc-paths.ts';
import { docsMessages } from './docs-messages.ts';
import type { Guide } from './guides.ts';
import type { ReferencePages } from './reference-pages.tsx';
import { searchWords } from './search-words.ts';
import type { SummaryOf } from './summaries.ts';

const maxTextLength = 400;

/**
 * Returns the entries of the search in each language: the guides in it, and the reference with its
 * summaries in it.
 */
export function buildSearchEntries(
  guides: readonly Guide[],
  reference: ReferencePages,
  summaryOf: SummaryOf,
): Record<Language, SearchEntry[]> {
  const entriesOf = (language: Language): SearchEntry[] => {
    const messages = docsMessages[language];
    return [
      ...guides.filter((guide) => guide.language === language).flatMap(sectionsOf),
      ...reference.index.tags.flatMap(({ path, name, operations }) =>
        operations.map(({ operation, method, path: route }) => ({
          t: summaryOf(operation, language),
          s: name,
          u: `${path}#${operation.operationId}`,
          // With the English summary, since names of fields are English too.
          x: `${method} ${route} ${operation.operationId} ${operation.summary}`,
          ...furtherWords(operation.operationId, language),
        })),
      ),
      ...reference.events.map(({ name, meaning }) => ({
        t: name,
        s: messages.events,
        u: eventPath(name),
        x: meaning,
      })),
      ...reference.records.map(({ name, description }) => ({
        t: name,
        s: messages.records,
        u: recordPath(name),
        x: description.slice(0, maxTextLength),
      })),
    ];
  };
  const [en, ptBr, es] = languages.map(entriesOf);
  return { en: en ?? [], 'pt-BR': ptBr ?? [], es: es ?? [] };
}

const furtherWords = (part: string, language: Language) => {
  const words = searchWords[part]?.[language];
  return words !== undefined && { k: words };
};

/** The beginning of the text of a part. The values of a deployment are not known yet. */
const excerptOf = (html: string) =>
  replacePlaceholders(textOfHtml(html), (name) => (name === 'origin' ? '' : '…')).slice(
    0,
    maxTextLength,
  );

/** A guide by its sections; also the rows of its tables that have an id, such as error codes. */
function sectionsOf({ slug, language, title, path, html }: Guide): SearchEntry[] {
  const parts = html.split(/(?=<h[23] id=")/);
  return parts.flatMap((part) => {
    const [, id, heading = ''] =
      /^<h[23] id="([^"]+)">([\s\S]*?) <a class="anchor"/.exec(part) ?? [];
    const section: SearchEntry = {
      t: heading === '' ? title : textOfHtml(heading),
      s: heading === '' ? '' : title,
      u: id === undefined ? path : `${path}#${id}`,
      x: excerptOf(
        part.replace(/^<h[23][\s\S]*?<\/h[23]>/, '').replaceAll(/<table>[\s\S]*?<\/table>/g, ' '),
      ),
      ...furtherWords(id === undefined ? slug : `${slug}#${id}`, language),
    };
    const rows = Array.from(
      part.matchAll(/<tr id="([^"]+)"><th scope="row">([\s\S]*?)<\/th>([\s\S]*?)<\/tr>/g),
      ([, row = '', name = '', cells = '']) => ({
        t: textOfHtml(name),
        s: title,
        u: `${path}#${row}`,
        x: excerptOf(cells),
      }),
    );
    return [section, ...rows];
  });
}
