/**
 * `npm run changes -- https://api.example.com/openapi.json` (or a file): lists, in words, the
 * changes of the API since a document that was published. Exits with 1 if one breaks a promise of
 * the guide about versions.
 */
import { readFile } from 'node:fs/promises';
import { changesSince, formatChanges } from './api-changes.ts';

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('Which document? npm run changes -- <address or file of an openapi.json>');
  process.exit(2);
}
const published = /^https?:/.test(source)
  ? await (await fetch(source)).text()
  : await readFile(source, 'utf8');
const changes = changesSince(published);
console.log(formatChanges(changes).join('\n'));
process.exitCode = changes.some(({ breaks }) => breaks) ? 1 : 0;
