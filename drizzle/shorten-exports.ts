/**
 * Shortens the list of exports of `drizzle-orm` after an installation. Node 24 parses the list for each module of a package, and 178 KB
 * for each of 111 modules are a second of CPU in every process. The same modules have the same names afterwards.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const file = 'node_modules/drizzle-orm/package.json';

/** The entry of a module, by its path without an extension. */
const entryOf = (module: string) => ({
  import: { types: `${module}.d.ts`, default: `${module}.js` },
  require: { types: `${module}.d.cts`, default: `${module}.cjs` },
  types: `${module}.d.ts`,
  default: `${module}.js`,
});

const { exports, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as {
  exports: Record<string, object>;
};
const others = Object.entries(exports).filter(
  ([name, entry]) => !isDeepStrictEqual(entry, entryOf(name)),
);
const short = { ...rest, exports: { ...Object.fromEntries(others), './*': entryOf('./*') } };
// Another installation may share the file itself.
rmSync(file);
writeFileSync(file, JSON.stringify(short));
