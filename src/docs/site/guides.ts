import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages, type Language } from '../../base/languages.ts';
import { changelogFeedPath, guidePath } from '../../base/page-paths.ts';
import { changelogMarkdown, type ChangelogEntry } from '../build/changelog.ts';
import { tableAsHtml, tableAsMarkdown, type Table } from '../build/markdown-table.ts';
import { insertLine, renderMarkdown, type Heading } from '../build/render-markdown.ts';
import { readSamples, renderSamples, samplesAsMarkdown } from '../build/samples.ts';
import { findPlaceholders } from '../placeholders.ts';
import { maxEntries } from './changelog-feed.ts';
import { guideFolder, guideSlugs } from './doc-paths.ts';
import { docsMessages } from './docs-messages.ts';

/** A guide in one language. */
export interface Guide {
  slug: string;
  language: Language;
  path: string;
  title: string;
  /** The first paragraph, in plain text. */
  summary: string;
  html: string;
  headings: Heading[];
  /** The guide as Markdown, with samples and tables in it. */
  markdown: string;
}

/** The sources of guides. */
interface GuideSource {
  /** `src/docs`. */
  folder: string;
  /** Addresses of the reference by names such as `op:createBrand`. */
  addresses: ReadonlyMap<string, string>;
  /** Returns a generated table; throws if there is none of that name. */
  tableNamed: (name: string, language: Language) => Table;
  /** The changes of the service, newest first. */
  changelog: readonly ChangelogEntry[];
}

const knownPlaceholders = new Set([
  'origin',
  'service',
  'SERVICE',
  'user_token',
  'user_secret',
  'store',
]);

/**
 * Reads and renders all guides. Omits those that cannot be rendered, and returns the problems of
 * each guide.
 */
export function readGuides(source: GuideSource): { guides: Guide[]; problems: string[] } {
  const problems: string[] = [];
  const guides = languages.flatMap((language) =>
    guideSlugs.flatMap((slug): Guide[] => {
      const report = (problem: string) => {
        problems.push(`guides/${guideFolder[language]}/${slug}.md: ${problem}`);
      };
      try {
        return [readGuide(source, language, slug, report)];
      } catch (error) {
        report(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
        return [];
      }
    }),
  );
  return { guides, problems: [...new Set([...problems, ...findBrokenAnchors(guides)])] };
}

function readGuide(
  source: GuideSource,
  language: Language,
  slug: string,
  report: (problem: string) => void,
): Guide {
  const { folder, addresses, tableNamed, changelog } = source;
  const path = join(folder, 'guides', guideFolder[language], `${slug}.md`);
  if (!existsSync(path)) throw new Error('the file is missing');
  const text = readFileSync(path, 'utf8')
    .replaceAll('\r\n', '\n')
    .trim()
    .replace(/^<!-- changelog -->$/m, () => changelogMarkdown(changelog.slice(0, maxEntries)));
  const [, title = '', rest = ''] = /^# (.+)\n+([\s\S]*)$/.exec(text) ?? [];
  const summary = (/^([^\n]+(?:\n[^\n]+)*)/.exec(rest)?.[1] ?? '').replaceAll('\n', ' ');
  if (title === '' || summary === '' || /^[#<`|]/.test(summary)) {
    throw new Error('it must begin with a title and a paragraph');
  }
  const resolveLink = (href: string) => {
    const address = resolveGuideLink(href, language, addresses);
    if (address === undefined) report(`nothing is called ${href}`);
    return address ?? '#main';
  };
  const samplesFolder = join(folder, 'samples');
  let groups = 0;
  const { html, headings } = renderMarkdown(text, {
    resolveLink,
    renderInsert: (kind, name) => {
      if (kind === 'table') {
        return tableAsHtml(tableNamed(name, language), { resolveLink, renderInsert: noInsert });
      }
      groups += 1;
      const legend = docsMessages[language].sampleLanguage;
      return renderSamples(readSamples(samplesFolder, name), `sample-${groups}`, legend);
    },
  });
  const markdown = text
    .split('\n')
    .map((line) => {
      const [, kind, name = ''] = insertLine.exec(line) ?? [];
      if (kind === 'table') return tableAsMarkdown(tableNamed(name, language));
      return kind === undefined ? line : samplesAsMarkdown(readSamples(samplesFolder, name));
    })
    .join('\n')
    .replaceAll(/\]\(([^)\s]+)\)/g, (_, href: string) => `](${markdownAddress(resolveLink(href))})`)
    .replaceAll(/^(#+ .*?)\s*\{#[\w.-]+\}$/gm, '$1');
  const placeholders = findPlaceholders(markdown).filter((name) => !knownPlaceholders.has(name));
  if (placeholders.length > 0) report(`unknown placeholders: ${placeholders.join(', ')}`);
  const repeated = headings.map(({ id }) => id).filter((id, index, ids) => ids.indexOf(id) < index);
  if (repeated.length > 0) report(`two headings have the id ${repeated.join(', ')}`);
  return {
    slug,
    language,
    path: guidePath(language, slug),
    title,
    summary: plainText(summary),
    html: html.replace(/<h1>.*?<\/h1>\n/, ''),
    headings,
    markdown: `${markdown}\n`,
  };
}

const noInsert = (): never => {
  throw new Error('a table contains no tables and no samples');
};

const plainText = (markdown: string) =>
  markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/[`*]/g, '');

/** Returns the address that a link of a guide means; `undefined` if there is nothing. */
function resolveGuideLink(
  href: string,
  language: Language,
  addresses: ReadonlyMap<string, string>,
): string | undefined {
  if (/^(?:https?:|mailto:|#|\/|\{\{origin\}\})/.test(href)) return href;
  if (/^(?:op|record|event|tag):/.test(href)) return addresses.get(decodeURIComponent(href));
  if (href === 'feed:changelog') return changelogFeedPath;
  const [slug = '', anchor] = href.split('#');
  if (!guideSlugs.includes(slug)) return undefined;
  return guidePath(language, slug) + (anchor === undefined ? '' : `#${anchor}`);
}

/** Addresses in Markdown are absolute, and lead to Markdown where there is any. */
function markdownAddress(address: string): string {
  if (!address.startsWith('/')) return address;
  const [path = '', anchor] = address.split('#');
  const hasMarkdown = /^\/docs\/.*(?:guides|reference)\//.test(path);
  return `{{origin}}${path}${hasMarkdown ? '.md' : ''}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Returns the links to guides whose anchor the guide does not have. */
function findBrokenAnchors(guides: readonly Guide[]): string[] {
  const idsOf = new Map(
    guides.map(({ path, html }) => [
      path,
      new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id)),
    ]),
  );
  return guides.flatMap(({ path: own, html }) =>
    Array.from(html.matchAll(/ href="([^"#]*)#([^"]+)"/g)).flatMap(([, path = '', id]) => {
      const ids = idsOf.get(path === '' ? own : path);
      return ids && id !== 'main' && !ids.has(id)
        ? [`${own}: nothing has the id ${path}#${id}`]
        : [];
    }),
  );
}
