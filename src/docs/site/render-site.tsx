import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { languages, type Language } from '../../base/languages.ts';
import {
  changelogFeedPath,
  docsHomePath,
  docsPaths,
  guidePath,
  postmanPath,
} from '../../base/page-paths.ts';
import { findUndescribed } from '../../http/openapi/missing.ts';
import { toolFilePath } from '../../mcp/tool.ts';
import type { SearchEntry } from '../browser/search-entry.ts';
import { idsByRoute, parseChangelog } from '../build/changelog.ts';
import { createTables } from '../build/doc-tables.ts';
import { readSamples, renderSamples } from '../build/samples.ts';
import { documentTexts } from '../meaning/meanings.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { putPlaceholders, unknownDeployment } from '../placeholders.ts';
import { changelogFeed } from './changelog-feed.ts';
import { guideGroups, type GuideGroup } from './doc-paths.ts';
import { DocsHomePage } from './docs-home-page.tsx';
import { docsMessages } from './docs-messages.ts';
import { GuidePage } from './guide-page.tsx';
import { readGuides, type Guide } from './guides.ts';
import { buildLlmsText } from './llms-text.ts';
import { postmanCollection } from './postman-collection.ts';
import type { NavigationGroup, SiteAssets, SiteProps } from './props.ts';
import { referenceAsMarkdown } from './reference-markdown.ts';
import { describeReference, renderReference } from './reference-pages.tsx';
import { buildSearchEntries } from './search-entries.ts';
import { SiteLayout } from './site-layout.tsx';
import { summaryOf } from './summaries.ts';
import { buildToolFile } from './tool-file.ts';

/** Further files that the pages load, which the build knows after rendering. */
export interface SiteData {
  searchEntries: Record<Language, SearchEntry[]>;
}

/**
 * Reads all sources of the site, and returns their problems. `root` is the folder of the project.
 */
export function prepareSite(root: string) {
  const folder = join(root, 'src/docs');
  const { service, origin } = unknownDeployment;
  const document = getOpenApiDocument(service, '/v2', origin);
  const reference = describeReference(document);
  const changelog = parseChangelog(
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    idsByRoute(document),
  );
  const { addresses } = reference.index;
  const { guides, problems } = readGuides({
    folder,
    addresses,
    tableNamed: createTables(document),
    changelog,
  });
  const data: SiteData = {
    searchEntries: buildSearchEntries(guides, reference, summaryOf),
  };
  const firstCall = (language: Language) =>
    renderSamples(
      readSamples(join(folder, 'samples'), 'first-call'),
      'first-call',
      docsMessages[language].sampleLanguage,
    );

  /** Returns all files of the site by their path in `dist/docs`, without assets. */
  const render = (assets: SiteAssets): Map<string, string> => {
    const files = new Map<string, string>([
      ['openapi.json', JSON.stringify(document)],
      ['openapi.yaml', stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })],
      [postmanPath.slice(1), JSON.stringify(postmanCollection(document, reference.index))],
      [changelogFeedPath.slice(1), changelogFeed(changelog, addresses)],
      ['llms.txt', buildLlmsText(document, guides, reference)],
      [toolFilePath, JSON.stringify(buildToolFile(document, guides, reference))],
    ]);
    for (const [path, page] of renderReference(document, reference, assets)) {
      files.set(`${path.slice(1)}.html`, page);
    }
    for (const [path, text] of referenceAsMarkdown(document, reference)) {
      files.set(`${path.slice(1)}.md`, `${text}\n`);
    }
    for (const guide of guides) {
      files.set(`${guide.path.slice(1)}.html`, renderGuide(guide, guides, assets));
      files.set(`${guide.path.slice(1)}.md`, guide.markdown);
    }
    for (const language of languages) {
      files.set(
        `${docsHomePath(language).slice(1)}.html`,
        renderHome(language, guides, assets, firstCall(language)),
      );
      files.set(`docs/not-found.${language}.html`, renderNotFound(language, guides, assets));
    }
    return new Map([...files].map(([path, text]) => [path, putPlaceholders(text)]));
  };
  const undescribed = findUndescribed(document, documentTexts).map(
    (place) => `no description: ${place}`,
  );
  return { data, render, problems: [...problems, ...undescribed] };
}

const alternatesOf = (pathIn: (language: Language) => string): Record<Language, string> => ({
  en: pathIn('en'),
  'pt-BR': pathIn('pt-BR'),
  es: pathIn('es'),
});

/** The guides of a language in their groups, then the reference. */
function navigationIn(language: Language, guides: readonly Guide[]): NavigationGroup[] {
  const messages = docsMessages[language];
  const groups = Object.entries(guideGroups).map(([group, slugs]) => ({
    title: messages.groups[group as GuideGroup],
    links: slugs.flatMap((slug) => {
      const guide = guides.find((guide) => guide.slug === slug && guide.language === language);
      return guide ? [{ href: guide.path, text: guide.title }] : [];
    }),
  }));
  const reference = {
    title: messages.reference,
    links: [
      { href: docsPaths.interactive, text: messages.interactive },
      { href: docsPaths.operations, text: messages.operations },
      { href: docsPaths.events, text: messages.events },
      { href: docsPaths.records, text: messages.records },
    ],
  };
  return [...groups, reference];
}

function renderGuide(guide: Guide, guides: readonly Guide[], assets: SiteAssets): string {
  const { language, slug, title, summary, path, html, headings } = guide;
  const siblings = guides.filter((other) => other.language === language);
  const index = siblings.indexOf(guide);
  const linkTo = (other: Guide | undefined) => other && { href: other.path, text: other.title };
  const site: SiteProps = {
    language,
    title,
    description: summary,
    path,
    assets,
    alternates: alternatesOf((other) => guidePath(other, slug)),
    markdownPath: `${path}.md`,
    navigation: navigationIn(language, guides),
  };
  return page(
    <GuidePage
      {...{ site, html }}
      contents={headings}
      previous={linkTo(siblings[index - 1])}
      next={linkTo(siblings[index + 1])}
    />,
  );
}

function renderHome(
  language: Language,
  guides: readonly Guide[],
  assets: SiteAssets,
  firstCall: string,
): string {
  const messages = docsMessages[language];
  const site: SiteProps = {
    language,
    title: messages.homeTitle,
    description: messages.homeLead,
    path: docsHomePath(language),
    assets,
    alternates: alternatesOf(docsHomePath),
    navigation: [],
  };
  const groups = Object.entries(guideGroups).map(([group, slugs]) => ({
    title: messages.groups[group as GuideGroup],
    guides: slugs.flatMap((slug) =>
      guides
        .filter((guide) => guide.slug === slug && guide.language === language)
        .map(({ path: href, title, summary }) => ({ href, title, summary })),
    ),
  }));
  const links = {
    call: guidePath(language, 'first-call'),
    receive: guidePath(language, 'webhooks'),
    app: guidePath(language, 'oauth'),
    key: guidePath(language, 'get-credentials'),
  };
  return page(<DocsHomePage {...{ site, firstCall, links, groups }} />);
}

function renderNotFound(language: Language, guides: readonly Guide[], assets: SiteAssets): string {
  const { notFoundTitle, notFoundLead } = docsMessages[language];
  const site: SiteProps = {
    language,
    title: notFoundTitle,
    description: notFoundLead,
    path: docsHomePath(language),
    assets,
    navigation: navigationIn(language, guides),
  };
  return page(<NotFoundPage site={site} home={docsHomePath(language)} />);
}

const page = (element: { toString(): string }) => `<!doctype html>${element.toString()}`;

/** Shown for an address below `/docs` that does not exist. */
export const NotFoundPage = ({ site, home }: { site: SiteProps; home: string }) => {
  const { notFoundTitle, notFoundLead, toHome } = docsMessages[site.language];
  return (
    <SiteLayout {...site}>
      <h1>{notFoundTitle}</h1>
      <p>{notFoundLead}</p>
      <p>
        <a class="button" href={home}>
          {toHome}
        </a>
      </p>
    </SiteLayout>
  );
};
