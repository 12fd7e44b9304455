import { build, stop } from 'esbuild';

/** The Worker as one module, made the way wrangler makes it. */
export async function bundle(main: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [main],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  // Else esbuild's own process would live as long as this one.
  await stop();
  const file = outputFiles[0];
  if (!file) throw new Error('The bundle is empty.');
  return file.text;
}
