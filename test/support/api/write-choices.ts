/**
 * `npm run choices`: writes the notes of the operations of the specification, and how their texts
 * are read, into the README of `src/routes`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { operationGroups } from '../../../src/routes/operations.ts';
import { choicesTable } from './choices-table.ts';
import { textsTable } from './texts-table.ts';

const path = 'src/routes/README.md';
const tables = {
  choices: choicesTable(operationGroups, readFileSync('test/specification/endpoints.tsv', 'utf8')),
  texts: textsTable(operationGroups),
};
let readme = readFileSync(path, 'utf8');
for (const [name, table] of Object.entries(tables)) {
  const markers = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!markers.test(readme)) throw new Error(`${path} has no markers for the table of ${name}.`);
  readme = readme.replace(markers, (_all, start, end) => `${start}${table}\n${end}`);
}
writeFileSync(path, readme);
