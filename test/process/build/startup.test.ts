import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/**
 * Returns the files that an isolate evaluates before its first event: the static imports of `main`,
 * transitively.
 */
async function staticallyImported(main: string): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [main],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
  });
  const files = new Set([main]);
  for (const file of files) {
    for (const { kind, path } of metafile.inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && path in metafile.inputs) files.add(path);
    }
  }
  return files;
}

describe('the start of an isolate', () => {
  it('loads no operations, pages, documentation or delivery', async () => {
    const files = [...(await staticallyImported('src/index.ts'))];
    expect(files).toContain('src/http/run-operation.ts');
    const lazyFolders = [
      'accounts',
      'pages',
      'docs',
      'mcp',
      'demo',
      'http/openapi',
      'webhooks/delivery',
      'web/components',
      'web/forms',
      'web/texts',
    ];
    const early = files.filter(
      (file) =>
        lazyFolders.some((folder) => file.startsWith(`src/${folder}/`)) ||
        /^src\/(?:catalog|sales|stores|ops)\/[^/]+\//.test(file) ||
        file.includes('hono/dist/jsx/') ||
        file === 'src/http/replies.ts',
    );
    expect(early).toEqual([]);
  });
});
