/** `npm run limits`: writes the limits of all mails, links, forms, records and operations into the README of `src/http/access`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const path = 'src/http/access/README.md';
const readme = readFileSync(path, 'utf8');
const markers = /(<!-- limits -->\n)[\s\S]*?(<!-- \/limits -->)/;
if (!markers.test(readme)) throw new Error(`${path} has no markers for the lists.`);

// Pages are TSX, which Node does not read.
const folder = mkdtempSync(join('node_modules', '.limits-'));
try {
  const outfile = join(folder, 'limits-table.mjs');
  await build({
    entryPoints: ['test/support/api/limits-table.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['cloudflare:*'],
    logLevel: 'error',
  });
  const { limitsTable } = (await import(pathToFileURL(outfile).href)) as {
    limitsTable: () => string;
  };
  writeFileSync(
    path,
    readme.replace(markers, (_all, start, end) => `${start}\n${limitsTable()}\n\n${end}`),
  );
} finally {
  rmSync(folder, { recursive: true });
}
