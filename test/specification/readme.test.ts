import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import readme from '../../README.md?raw';
import { sections } from '../../src/operations.ts';
import { choicesTable } from '../support/choices.ts';

describe('README', () => {
  it('holds the note of every row (npm run choices)', () => {
    expect(readme).toContain(choicesTable(sections));
  });

  it('says of every dependency why it is there', () => {
    const packages = { ...manifest.dependencies, ...manifest.devDependencies };
    const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
    for (const name of Object.keys(packages)) {
      expect(
        rows.some((row) => row.includes(`\`${name}\``)),
        name,
      ).toBe(true);
    }
  });

  it('names every script of package.json that it tells to run', () => {
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1]);
    const scripts = Object.keys(manifest.scripts);
    expect(named.filter((name) => !scripts.includes(name!))).toEqual([]);
  });
});
