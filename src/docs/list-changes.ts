/**
 * `npm run changes -- https://api.example.com/openapi.json` (or a file): lists, in words, the changes of the API since a document
 * that was published. Exits with 1 if one breaks a promise of the guide about versions.
 */
import { readFile } from 'node:fs/promises';
import type { OpenApiDocument } from '../http/openapi/types.ts';
import { compareDocuments, type DocumentChange } from './compare-documents.ts';
import { getOpenApiDocument } from './openapi-document.ts';

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('Which document? npm run changes -- <address or file of an openapi.json>');
  process.exit(2);
}
const published = /^https?:/.test(source)
  ? await (await fetch(source)).text()
  : await readFile(source, 'utf8');
// The names of headers of deliveries contain the service.
const [, service = 'Service'] = /"X-([^"]+)-Hmac-SHA256"/.exec(published) ?? [];
const changes = compareDocuments(
  JSON.parse(published) as OpenApiDocument,
  getOpenApiDocument(service, '/v2'),
);

const list = (title: string, shown: readonly DocumentChange[]) => {
  if (shown.length === 0) return;
  console.log(`\n${title} (${shown.length})`);
  for (const [place, ofPlace] of Map.groupBy(shown, (change) => change.place)) {
    console.log(`  ${place}`);
    for (const { text } of ofPlace) console.log(`    ${text}`);
  }
};
const broken = changes.filter(({ breaks }) => breaks);
list('Break what v2 promises', broken);
list(
  'Additive',
  changes.filter(({ breaks }) => !breaks),
);
if (changes.length === 0) console.log('No change that callers can notice.');
process.exitCode = broken.length > 0 ? 1 : 0;
