import { docsPaths } from '../../base/page-paths.ts';
import type { OpenApiDocument } from '../../http/openapi/types.ts';
import { textOfHtml } from '../build/escape.ts';
import { guideGroups, type GuideGroup } from './doc-paths.ts';
import { docsMessages } from './docs-messages.ts';
import type { Guide } from './guides.ts';
import type { ReferencePages } from './reference-pages.tsx';
import { renderText } from './render-text.ts';

/**
 * Returns `/llms.txt` (llmstxt.org): a description of the service, and the addresses of its
 * documentation as Markdown.
 */
export function buildLlmsText(
  document: OpenApiDocument,
  guides: readonly Guide[],
  { tags }: ReferencePages,
): string {
  const english = docsMessages.en;
  const link = (text: string, path: string, note: string) =>
    `- [${text}]({{origin}}${path})${note === '' ? '' : `: ${note}`}`;
  const groups = Object.entries(guideGroups).map(([group, slugs]) => {
    const links = slugs.flatMap((slug) =>
      guides
        .filter((guide) => guide.language === 'en' && guide.slug === slug)
        .map(({ title, path, summary }) => link(title, `${path}.md`, summary)),
    );
    return `## ${english.groups[group as GuideGroup]}\n\n${links.join('\n')}`;
  });
  const reference = [
    link('OpenAPI document (JSON)', '/openapi.json', 'all operations, records, events and errors'),
    link('OpenAPI document (YAML)', '/openapi.yaml', ''),
    link('All operations', `${docsPaths.operations}.md`, ''),
    link('Records', `${docsPaths.records}.md`, ''),
    link('Events', `${docsPaths.events}.md`, ''),
    ...tags.map(({ tag }) =>
      link(
        tag.name,
        `${tag.path}.md`,
        textOfHtml(renderText(tag.description)).split('. ')[0] ?? '',
      ),
    ),
  ];
  return [
    `# ${document.info.title}`,
    `> ${english.homeLead}`,
    'The base URL is {{origin}}/v2. Requests carry an API key (User-Token and User-Secret-Key) or the access token of an app. Errors have a `code`, a `hint` and a `documentation_url`. The same operations are tools of the Model Context Protocol at {{origin}}/mcp.',
    ...groups,
    `## ${english.reference}\n\n${reference.join('\n')}`,
    '',
  ].join('\n\n');
}
