/** `npm run choices`: writes the notes of the operations into the README of `src/api`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { operationGroups } from '../../../src/api/operations.ts';
import { choicesTable } from './choices-table.ts';

const path = 'src/api/README.md';
const readme = readFileSync(path, 'utf8');
const markers = /(<!-- choices -->\n)[\s\S]*?(<!-- \/choices -->)/;
if (!markers.test(readme)) throw new Error(`${path} has no markers for the table.`);
writeFileSync(
  path,
  readme.replace(markers, (_all, start, end) => `${start}${choicesTable(operationGroups)}\n${end}`),
);
