import { join } from 'node:path';
import { stringify } from 'yaml';
import { findMissing } from '../../http/openapi/missing.ts';
import { GuidePage } from '../../pages/docs/guide-page.tsx';
import { HomePage } from '../../pages/docs/home-page.tsx';
import { docsMessages } from '../../pages/docs/messages.ts';
import { NotFoundPage } from '../../pages/docs/not-found-page.tsx';
import type { NavigationGroup, SiteAssets, SiteProps } from '../../pages/docs/props.ts';
import { languages, type Language } from '../../pages/i18n/languages.ts';
import type { SearchEntry } from '../browser/search-entry.ts';
import { readSamples, renderSamples } from '../markdown/samples.ts';
import { documentTexts } from '../meaning/index.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { putPlaceholders, unknownDeployment } from '../placeholders.ts';
import { createTables } from '../tables/tables.ts';
import { readGuides, type Guide } from './guides.ts';
import { buildLlmsText } from './llms-text.ts';
import { oldAnchors } from './old-anchors.ts';
import { referenceAsMarkdown } from './reference-markdown.ts';
import { describeReference, renderReference } from './reference-pages.tsx';
import { buildSearchEntries } from './search-entries.ts';
import { guideGroups, guidePath, homePath, type GuideGroup } from './site-map.ts';
import { summaryOf } from './summaries.ts';

/** What the pages load besides their style and scripts, which the build knows after it was made. */
export interface SiteData {
  searchEntries: Record<Language, SearchEntry[]>;
  /** Addresses by the fragments of `/docs` in earlier releases. */
  oldAnchors: Record<string, string>;
}

/** Reads all sources of the site, and says what is wrong with them. `root` is the folder of the project. */
export function prepareSite(root: string) {
  const folder = join(root, 'src/docs');
  const { service, origin } = unknownDeployment;
  const document = getOpenApiDocument(service, '/v2', origin);
  const reference = describeReference(document);
  const { guides, problems } = readGuides({
    folder,
    addresses: reference.index.addresses,
    tableNamed: createTables(document, root),
  });
  const data: SiteData = {
    searchEntries: buildSearchEntries(guides, reference, summaryOf),
    oldAnchors: oldAnchors(reference),
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
      ['llms.txt', buildLlmsText(document, guides, reference)],
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
        `${homePath(language).slice(1)}.html`,
        renderHome(language, guides, assets, firstCall(language)),
      );
      files.set(`docs/not-found.${language}.html`, renderNotFound(language, guides, assets));
    }
    return new Map([...files].map(([path, text]) => [path, putPlaceholders(text)]));
  };
  const undescribed = findMissing(document, documentTexts).map(
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
      { href: '/docs/reference', text: messages.interactive },
      { href: '/docs/reference/operations', text: messages.operations },
      { href: '/docs/reference/events', text: messages.events },
      { href: '/docs/reference/records', text: messages.records },
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
    path: homePath(language),
    assets,
    alternates: alternatesOf(homePath),
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
    hear: guidePath(language, 'webhooks'),
    app: guidePath(language, 'oauth'),
    key: guidePath(language, 'get-credentials'),
  };
  return page(<HomePage {...{ site, firstCall, links, groups }} />);
}

function renderNotFound(language: Language, guides: readonly Guide[], assets: SiteAssets): string {
  const { notFoundTitle, notFoundLead } = docsMessages[language];
  const site: SiteProps = {
    language,
    title: notFoundTitle,
    description: notFoundLead,
    path: homePath(language),
    assets,
    navigation: navigationIn(language, guides),
  };
  return page(<NotFoundPage site={site} home={homePath(language)} />);
}

const page = (element: { toString(): string }) => `<!doctype html>${element.toString()}`;
