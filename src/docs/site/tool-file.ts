import { languages } from '../../base/languages.ts';
import { docsPaths } from '../../base/page-paths.ts';
import type { OpenApiDocument } from '../../http/openapi/types.ts';
import { buildTools } from '../../mcp/build/build-tools.ts';
import type { ToolFile } from '../../mcp/tool.ts';
import { textOfHtml } from '../build/escape.ts';
import type { Guide } from './guides.ts';
import type { ReferencePages } from './reference-pages.tsx';
import { renderText } from './render-text.ts';
import { searchWords, verbWords } from './search-words.ts';
import { summaryOf } from './summaries.ts';

/** The further words of an operation in all languages, and those of its verb. */
const wordsOf = (operationId: string): string =>
  [
    ...Object.values(searchWords[operationId] ?? {}),
    verbWords[/^[a-z]+/.exec(operationId)?.[0] ?? ''] ?? '',
  ].join(' ');

/**
 * Returns what the server for assistants reads: a tool of each operation, and the pages that it
 * offers as resources.
 */
export function buildToolFile(
  document: OpenApiDocument,
  guides: readonly Guide[],
  { tags }: ReferencePages,
): ToolFile {
  const english = guides.filter(({ language }) => language === 'en');
  return {
    tools: buildTools(document, (operation) => ({
      translations: languages
        .filter((language) => language !== 'en')
        .map((language) => summaryOf(operation, language)),
      words: wordsOf(operation.operationId),
    })),
    pages: [
      ...english.map(({ path, title, summary }) => ({
        path: `${path}.md`,
        title,
        description: summary,
      })),
      ...tags.map(({ tag }) => ({
        path: `${tag.path}.md`,
        title: `Reference: ${tag.name}`,
        description: textOfHtml(renderText(tag.description)).split('. ')[0] ?? '',
      })),
      {
        path: `${docsPaths.events}.md`,
        title: 'Reference: events',
        description: 'Every event that a webhook can receive.',
      },
    ],
  };
}
