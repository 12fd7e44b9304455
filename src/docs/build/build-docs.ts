import { mkdirSync, rmSync, writeFileSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import type * as RenderModule from '../site/render-site.tsx';
import { buildAssets } from './browser-assets.ts';
import { readFreshRecord, recordInputs, buildRecordPath } from './build-record.ts';

/**
 * `npm run build:docs` (runs in Node): builds the documentation into `dist/docs`, which the Worker
 * serves as static assets. The same sources give the same files. Does nothing if nothing changed;
 * `--out folder` always builds, into another folder. A guide that cannot be rendered is omitted and
 * listed; the command then fails.
 */

const root = resolve(import.meta.dirname, '../../..');

/** Bundles the program that renders the site: Node alone reads no JSX. */
async function loadRenderer(): Promise<{ module: typeof RenderModule; sources: string[] }> {
  const outfile = join(root, `dist/docs-renderer.${process.pid}.mjs`);
  const { metafile } = await build({
    entryPoints: ['src/docs/site/render-site.tsx'],
    absWorkingDir: root,
    bundle: true,
    outfile,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    // The descriptions are in calls that are marked as pure, so that the Worker lacks them.
    ignoreAnnotations: true,
    logLevel: 'silent',
  });
  try {
    return {
      module: (await import(pathToFileURL(outfile).href)) as typeof RenderModule,
      sources: Object.keys(metafile.inputs),
    };
  } finally {
    rmSync(outfile);
  }
}

/** Builds the site. Returns the problems of its sources. */
async function buildDocs(out?: string): Promise<readonly string[]> {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const { module, sources } = await loadRenderer();
  const { data, render, problems } = module.prepareSite(root);
  const assets = await buildAssets(root, data);
  const own = ['build-docs', 'browser-assets', 'inputs', 'write-files'];
  const builders = own.map((name) => `src/docs/build/${name}.ts`);
  const record = recordInputs(root, [...sources, ...assets.modules, ...builders], problems);
  const files = new Map<string, string | Buffer>([
    ...render(assets.links),
    ...assets.files,
    ['assets.json', JSON.stringify(assets.addresses)],
  ]);
  writeFiles(out ?? join(root, 'dist/docs'), files);
  if (out === undefined) writeFileSync(buildRecordPath(root), JSON.stringify(record));
  return problems;
}

try {
  const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
  const known = out === undefined ? readFreshRecord(root) : undefined;
  const problems = known?.problems ?? (await buildDocs(out));
  if (problems.length > 0) throw new Error(problems.join('\n'));
} catch (error) {
  console.error(`npm run build:docs: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

/**
 * Makes a folder contain exactly these files. Leaves unchanged ones alone and replaces others at
 * once, since a running service may read them.
 */
function writeFiles(folder: string, files: ReadonlyMap<string, string | Buffer>): void {
  for (const [path, content] of files) {
    const target = join(folder, path);
    if (readIfPresent(target)?.equals(Buffer.from(content))) continue;
    mkdirSync(dirname(target), { recursive: true });
    const temporary = `${target}.${process.pid}.tmp`;
    writeFileSync(temporary, content);
    renameSync(temporary, target);
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    if (entry.isFile() && !files.has(name) && !name.endsWith('.tmp')) rmSync(path, { force: true });
  }
}

function readIfPresent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
