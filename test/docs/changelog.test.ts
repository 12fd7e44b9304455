import { describe, expect, it } from 'vitest';
import changelog from '../../CHANGELOG.md?raw';
import { changelogEntries, changelogTable } from '../../src/docs/build/changelog-table.ts';
import { changelogKinds, changelogTexts } from '../../src/docs/build/changelog-texts.ts';

const entries = changelogEntries(changelog);

describe('the changelog of the documentation', () => {
  it('has all entries in English', () => {
    const { rows } = changelogTable(changelog, 'en');
    expect(rows).toHaveLength(entries.length);
    expect(rows.length).toBeGreaterThan(100);
  });

  it.each(changelogTexts.map((text) => [text.begins, text] as const))(
    'translates one entry: %s',
    (begins) => {
      expect(entries.filter(({ text }) => text.startsWith(begins))).toHaveLength(1);
    },
  );

  it.each(['pt-BR', 'es'] as const)(
    'has no English entry and no English kind in %s',
    (language) => {
      const { rows } = changelogTable(changelog, language);
      expect(rows).toHaveLength(changelogTexts.length);
      const english = new Set(entries.map(({ text }) => text));
      for (const { cells } of rows) {
        const [kind = '', text = ''] = cells;
        expect(Object.values(changelogKinds).map((words) => words[language])).toContain(kind);
        expect(english.has(text)).toBe(false);
        expect(text).not.toMatch(/\b(?:the|and|with|of)\b/);
      }
    },
  );
});
