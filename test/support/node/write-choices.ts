/** `npm run choices`: writes the rows' notes into the README. */
import { readFileSync, writeFileSync } from 'node:fs';
import { sections } from '../../../src/operations.ts';
import { choicesTable } from '../choices.ts';

const readme = readFileSync('README.md', 'utf8');
const between = /(<!-- choices -->\n)[\s\S]*?(<!-- \/choices -->)/;
if (!between.test(readme)) throw new Error('README.md has no place for the choices.');
writeFileSync(
  'README.md',
  readme.replace(between, (_all, start, end) => `${start}${choicesTable(sections)}\n${end}`),
);
