import { changelogFeedPath, guidePath } from '../../base/page-paths.ts';
import { operationLinks, type ChangelogEntry } from '../build/changelog.ts';
import { escapeHtml, textOfHtml } from '../build/escape.ts';
import { renderMarkdown } from '../build/render-markdown.ts';
import { docsMessages } from './docs-messages.ts';

/**
 * How many of the newest entries the feed and the page have: enough for readers that look once a
 * month.
 */
export const maxEntries = 100;

/** Characters of the title of an entry. */
const maxTitle = 90;

/** Returns the newest entries of the changelog as a feed (Atom, RFC 4287). */
export function changelogFeed(
  all: readonly ChangelogEntry[],
  addresses: ReadonlyMap<string, string>,
): string {
  const entries = all.slice(0, maxEntries);
  const own = `{{origin}}${changelogFeedPath}`;
  const page = `{{origin}}${guidePath('en', 'versions')}`;
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
  const renderEntry = (entry: ChangelogEntry) => {
    const html = toHtml(entry.text);
    const links = operationLinks(entry);
    const title = titleOf(entry, textOfHtml(html));
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
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">`,
    element('id', own),
    element('title', `{{brand}}: ${docsMessages.en.changelog}`),
    time(entries[0]?.date ?? '1970-01-01'),
    element('author', element('name', '{{brand}}')),
    `<link rel="self" type="application/atom+xml" href="${own}"/>`,
    `<link rel="alternate" type="text/html" href="${page}"/>`,
    ...entries.map(renderEntry),
    '</feed>\n',
  ].join('\n');
}

const titleOf = ({ kind }: ChangelogEntry, text: string) =>
  `${kind}: ${shorten(text.replaceAll('( ', '('))}`;

/** The beginning of a text, cut between words. */
const shorten = (text: string) =>
  text.length <= maxTitle ? text : `${text.slice(0, maxTitle).replace(/\s+\S*$/, '')} …`;
