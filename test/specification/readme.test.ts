import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import readme from '../../README.md?raw';
import { operationGroups } from '../../src/routes/operations.ts';
import resourcesReadme from '../../src/routes/README.md?raw';
import bench from '../bench/package.json';
import clients from '../clients/package.json';
import { choicesTable } from '../support/api/choices-table.ts';
import endpoints from './endpoints.tsv?raw';

describe('the README of src/routes', () => {
  it('has the note of every operation of the specification, as `npm run choices` writes it', () => {
    expect(resourcesReadme).toContain(choicesTable(operationGroups, endpoints));
  });
});

describe('the README of the repository', () => {
  it('gives a reason for every dependency', () => {
    const packages = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...bench.devDependencies,
      ...clients.devDependencies,
    };
    const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
    for (const name of Object.keys(packages)) {
      expect(
        rows.some((row) => row.includes(`\`${name}\``)),
        name,
      ).toBe(true);
    }
  });

  it('names only scripts that package.json has', () => {
    const named = [...readme.matchAll(/npm run ([\w:-]*\w)/g)].map((match) => match[1]);
    const scripts = Object.keys(manifest.scripts);
    expect(named.filter((name) => !scripts.includes(name!))).toEqual([]);
  });
});
