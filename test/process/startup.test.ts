import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** The files that are run before the first event: those that no `import()` stands before. */
async function filesAtStart(main: string): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [main],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
  });
  const found = new Set([main]);
  for (const file of found) {
    for (const { kind, path } of metafile.inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && path in metafile.inputs) found.add(path);
    }
  }
  return found;
}

describe('the start of an isolate', () => {
  it('runs what every request needs: no rows, no pages, no documentation, no delivery', async () => {
    const files = [...(await filesAtStart('src/index.ts'))];
    expect(files).toContain('src/http/mount.ts');
    const folders = ['resources', 'commerce', 'pages', 'account', 'partners', 'docs', 'demo'];
    const early = files.filter(
      (file) =>
        folders.some((folder) => file.startsWith(`src/${folder}/`)) ||
        file.includes('hono/dist/jsx/') ||
        /src\/(events\/deliver|http\/openapi|http\/replies)/.test(file),
    );
    expect(early).toEqual([]);
  });
});
