/** `npm run choices`: writes the rows' notes into the README. */
import { readFileSync, writeFileSync } from 'node:fs';
import { sections } from '../../../src/operations.ts';
import { choicesTable, markers } from '../choices.ts';

const readme = readFileSync('README.md', 'utf8');
const [before = '', rest = ''] = readme.split(markers[0]);
const after = rest.slice(rest.indexOf(markers[1]));
writeFileSync('README.md', `${before}${markers[0]}${choicesTable(sections)}${after}`);
