import type { OpenApiDocument } from '../../http/openapi/types.ts';
import { slugOf } from './escape.ts';

/** A change of the changelog. */
export interface ChangelogEntry {
  /** The day on which it came to the service, as `2026-11-27`. */
  date: string;
  /** A heading of the day, such as `Added`. */
  kind: string;
  /** English, in one line of Markdown. */
  text: string;
  /** Part of its permanent address. */
  slug: string;
  /** Ids of the operations that it touches. */
  operations: readonly string[];
}

/** Ids of operations by method and path, without the names of the parameters. */
export const idsByRoute = (document: OpenApiDocument): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { operationId }]) => [routeKey(method.toUpperCase(), path), operationId] as const,
      ),
    ),
  );

const routeKey = (method: string, path: string) =>
  `${method} ${path.replace(/^\/v2\//, '/').replaceAll(/\{\w+\}/g, '{}')}`;

/**
 * Reads a changelog whose sections are days, newest first. The operations of an entry are those
 * whose method and path it names. Throws for a section that is no day.
 */
export function parseChangelog(
  changelog: string,
  ids: ReadonlyMap<string, string>,
): ChangelogEntry[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((day) => {
      const [date = '', ...kinds] = day.split(/\n+### /);
      if (!/^\d{4}-\d\d-\d\d$/.test(date.trim())) throw new Error(`no day: ${date.split('\n')[0]}`);
      return kinds.flatMap((section) => {
        const [kind = '', ...lines] = section.split('\n');
        return lines
          .join('\n')
          .split(/^- /m)
          .slice(1)
          .map(plainEntry)
          .map((text) => ({
            date: date.trim(),
            kind: kind.trim(),
            text,
            slug: slugOf(text).split('-').slice(0, 10).join('-'),
            operations: [...new Set(operationsNamedIn(text, ids))],
          }));
      });
    });
}

const operationsNamedIn = (text: string, ids: ReadonlyMap<string, string>) =>
  Array.from(
    text.matchAll(/\b(GET|POST|PUT|DELETE) (\/[\w{}/.-]*[\w}])/g),
    ([, method = '', path = '']) => ids.get(routeKey(method, path)),
  ).filter((id) => id !== undefined);

/** An entry in one line. Its links lead into the repository, which readers do not have. */
const plainEntry = (entry: string) =>
  entry
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(\w+)>/g, '`$1`')
    .trim();

/** The operations of an entry as links of a guide; empty if it touches none. */
export const operationLinks = ({ operations }: ChangelogEntry) =>
  operations.map((id) => `[\`${id}\`](op:${id})`).join(', ');

/**
 * The entries as Markdown of a guide: a heading for each day, whose id is the day, and a list for
 * each kind.
 */
export function changelogMarkdown(entries: readonly ChangelogEntry[]): string {
  const days = Map.groupBy(entries, ({ date }) => date);
  return [...days]
    .map(([date, ofDay]) => {
      const kinds = [...Map.groupBy(ofDay, ({ kind }) => kind)].map(
        ([kind, ofKind]) => `**${kind}**\n\n${ofKind.map(listItem).join('\n')}`,
      );
      return `### ${formatDay(date)} {#${date}}\n\n${kinds.join('\n\n')}`;
    })
    .join('\n\n');
}

const listItem = (entry: ChangelogEntry) => {
  const links = operationLinks(entry);
  return `* ${entry.text}${links === '' ? '' : ` (${links})`}`;
};

const formatDay = (date: string) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
