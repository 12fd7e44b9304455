import type { Language } from '../../base/languages.ts';
import { changelogKinds, changelogTexts } from './changelog-texts.ts';
import type { Table } from './markdown-table.ts';

const heads: Record<Language, readonly string[]> = {
  en: ['Kind', 'Change'],
  'pt-BR': ['Tipo', 'Mudança'],
  es: ['Tipo', 'Cambio'],
};

/** An entry of a changelog: its kind, and its text in one line. */
interface ChangelogEntry {
  kind: string;
  text: string;
}

/** The entries of the newest version in a changelog (Keep a Changelog). */
export function changelogEntries(changelog: string): ChangelogEntry[] {
  const [, newest = ''] = changelog.split(/^## .*$/m);
  return newest
    .split(/^### /m)
    .slice(1)
    .flatMap((section) => {
      const [kind = '', ...lines] = section.split('\n');
      return lines
        .join('\n')
        .split(/^- /m)
        .slice(1)
        .map((entry) => ({ kind: kind.trim(), text: plainEntry(entry) }));
    });
}

/** The entries of the newest version by their kind: all in English, and those that are translated in another language. */
export function changelogTable(changelog: string, language: Language): Table {
  const rows = changelogEntries(changelog).flatMap(({ kind, text }) => {
    if (language === 'en') return [{ cells: [kind, text] }];
    const translated = changelogTexts.find(({ begins }) => text.startsWith(begins))?.[language];
    return translated === undefined
      ? []
      : [{ cells: [changelogKinds[kind]?.[language] ?? kind, translated] }];
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
