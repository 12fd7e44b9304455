import { languages, type Language } from '../../base/languages.ts';
import { changelogFeedPath, guidePath } from '../../base/page-paths.ts';
import type { ChangelogDay } from '../../mail/changelog.ts';
import {
  entriesIn,
  kindName,
  operationLinks,
  type ChangelogEntry,
  type ShownEntry,
} from '../build/changelog.ts';
import { escapeHtml, textOfHtml } from '../build/escape.ts';
import { renderMarkdown } from '../build/render-markdown.ts';
import { docsMessages } from './docs-messages.ts';

/** How many of the newest entries the feed and the page have: enough for readers that look once a month. */
export const maxEntries = 100;

/** Characters of the title of an entry, in the feed and in a mail. */
const [maxTitle, maxMailTitle] = [90, 160];

/** Returns the changelog in each language as a feed (Atom, RFC 4287), by the path of its file. */
export const changelogFeeds = (
  entries: readonly ChangelogEntry[],
  addresses: ReadonlyMap<string, string>,
): [path: string, feed: string][] =>
  languages.map((language) => [
    changelogFeedPath(language),
    changelogFeed(entriesIn(entries, language).slice(0, maxEntries), language, addresses),
  ]);

function changelogFeed(
  entries: readonly ShownEntry[],
  language: Language,
  addresses: ReadonlyMap<string, string>,
): string {
  const own = `{{origin}}${changelogFeedPath(language)}`;
  const page = `{{origin}}${guidePath(language, 'versions')}`;
  const toHtml = (markdown: string) =>
    renderMarkdown(markdown, {
      resolveLink: (href) => {
        const address = addresses.get(href);
        if (address === undefined) throw new Error(`the changelog names ${href}`);
        return `{{origin}}${address}`;
      },
      renderInsert: () => {
        throw new Error('the changelog contains no tables');
      },
    }).html.trim();
  const element = (name: string, content: string) => `<${name}>${content}</${name}>`;
  const time = (date: string) => element('updated', `${date}T00:00:00Z`);
  const renderEntry = (entry: ShownEntry) => {
    const html = toHtml(entry.text);
    const links = operationLinks(entry);
    const title = titleOf(entry, textOfHtml(html), language);
    return element(
      'entry',
      [
        element('id', `${own}/${entry.date}/${entry.slug}`),
        element('title', escapeHtml(title)),
        time(entry.date),
        `<link rel="alternate" type="text/html" href="${page}#${entry.date}"/>`,
        `<category term="${escapeHtml(entry.kind)}"/>`,
        `<content type="html">${escapeHtml(html + (links === '' ? '' : toHtml(links)))}</content>`,
      ].join('\n'),
    );
  };
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`,
    element('id', own),
    element('title', `{{brand}}: ${docsMessages[language].changelog}`),
    time(entries[0]?.date ?? '1970-01-01'),
    element('author', element('name', '{{brand}}')),
    `<link rel="self" type="application/atom+xml" href="${own}"/>`,
    `<link rel="alternate" type="text/html" href="${page}"/>`,
    ...entries.map(renderEntry),
    '</feed>\n',
  ].join('\n');
}

/** Days, and entries of a day, of the file that mails are made of. A mail names fewer entries. */
const [maxDays, maxEntriesOfDay] = [30, 20];

/** The newest days with the titles of the entries that concern partners: those that every language has. */
export function changelogDays(entries: readonly ChangelogEntry[]): ChangelogDay[] {
  const isTranslated = new Set(entriesIn(entries, 'es').map(({ slug }) => slug));
  const shown = (language: Language) =>
    entriesIn(entries, language).filter(({ slug }) => isTranslated.has(slug));
  const titlesIn = (language: Language, day: string) =>
    shown(language)
      .filter(({ date }) => date === day)
      .slice(0, maxEntriesOfDay)
      .map((entry) => titleOf(entry, plainText(entry.text), language, maxMailTitle));
  const days = [...new Set(shown('es').map(({ date }) => date))].slice(0, maxDays);
  return days.map((day) => ({
    day,
    titles: {
      en: titlesIn('en', day),
      'pt-BR': titlesIn('pt-BR', day),
      es: titlesIn('es', day),
    },
  }));
}

/** A text of the changelog without its marks. */
const plainText = (markdown: string) =>
  textOfHtml(
    renderMarkdown(markdown, { resolveLink: (href) => href, renderInsert: () => '' }).html,
  );

const titleOf = ({ kind }: ChangelogEntry, text: string, language: Language, max = maxTitle) =>
  `${kindName(kind, language)}: ${shorten(text.replaceAll('( ', '('), max)}`;

/** The beginning of a text, cut between words. */
const shorten = (text: string, max: number) =>
  text.length <= max ? text : `${text.slice(0, max).replace(/\s+\S*$/, '')} …`;
