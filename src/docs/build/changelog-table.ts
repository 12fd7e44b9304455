import type { Table } from './markdown-table.ts';

/** The entries of the newest version in a changelog (Keep a Changelog), by their kind. They are in English only. */
export function changelogTable(changelog: string): Table {
  const [, newest = ''] = changelog.split(/^## .*$/m);
  const rows = newest
    .split(/^### /m)
    .slice(1)
    .flatMap((section) => {
      const [kind = '', ...lines] = section.split('\n');
      return lines
        .join('\n')
        .split(/^- /m)
        .slice(1)
        .map((entry) => ({ cells: [kind.trim(), plainEntry(entry)] }));
    });
  return { head: ['Kind', 'Change'], rows };
}

/** An entry in one line. Its links lead into the repository, which readers do not have. */
const plainEntry = (entry: string) =>
  entry
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(\w+)>/g, '`$1`')
    .trim();
