import type { Language } from '../../base/languages.ts';
import type { Table } from './markdown-table.ts';

const heads: Record<Language, readonly string[]> = {
  en: ['Kind', 'Change'],
  'pt-BR': ['Tipo', 'Mudança (em inglês)'],
  es: ['Tipo', 'Cambio (en inglés)'],
};

/** The entries of the newest version in a changelog (Keep a Changelog), by their kind. */
export function changelogTable(changelog: string, language: Language): Table {
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
  return { head: heads[language], rows };
}

/** An entry in one line. Its links lead into the repository, which readers do not have. */
const plainEntry = (entry: string) =>
  entry
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(\w+)>/g, '`$1`')
    .trim();
