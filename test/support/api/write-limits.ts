/**
 * `npm run limits`: writes the limits of all mails, links, forms, records and operations into the
 * README of `src/http/access`, the doors of its rules, and what actions leave into that of
 * `src/accounts`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Puts a list between its markers in the README of a folder. */
function writeList(folder: string, name: string, list: string): void {
  const path = `${folder}/README.md`;
  const text = readFileSync(path, 'utf8');
  const markers = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);
  if (!markers.test(text)) throw new Error(`${path} has no markers for the list of ${name}.`);
  writeFileSync(
    path,
    text.replace(markers, (_all, start, end) => `${start}\n${list}\n\n${end}`),
  );
}

// Pages are TSX, which Node does not read.
const folder = mkdtempSync(join('node_modules', '.limits-'));
try {
  const outfile = join(folder, 'limits-table.mjs');
  await build({
    stdin: {
      contents: ['./limits-table.ts', './doors-table.ts', '../node/action-table.ts']
        .map((file) => `export * from '${file}';`)
        .join('\n'),
      resolveDir: 'test/support/api',
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['cloudflare:*'],
    logLevel: 'error',
  });
  const { limitsTable, doorsTable, actionTable } = (await import(pathToFileURL(outfile).href)) as {
    limitsTable: () => string;
    doorsTable: (cron: string) => string;
    actionTable: () => string;
  };
  writeList('src/http/access', 'limits', limitsTable());
  writeList('src/http/access', 'doors', doorsTable(readFileSync('src/app/cron.ts', 'utf8')));
  writeList('src/accounts', 'actions', actionTable());
} finally {
  rmSync(folder, { recursive: true });
}
