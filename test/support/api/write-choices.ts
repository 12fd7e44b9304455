/** `npm run choices`: writes the notes of the operations into the README of `src/resources`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { operationGroups } from '../../../src/operations.ts';
import { choicesTable } from './choices-table.ts';

const path = 'src/resources/README.md';
const readme = readFileSync(path, 'utf8');
const markers = /(<!-- choices -->\n)[\s\S]*?(<!-- \/choices -->)/;
if (!markers.test(readme)) throw new Error(`${path} has no markers for the table.`);
writeFileSync(
  path,
  readme.replace(markers, (_all, start, end) => `${start}${choicesTable(operationGroups)}\n${end}`),
);
