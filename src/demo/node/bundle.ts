import { build, context, stop, type BuildOptions } from 'esbuild';

/** Bundles the Worker into one module, with the options of wrangler. */
const bundleOptions = (main: string) =>
  ({
    entryPoints: [main],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    // Without the sources themselves, which would be half of the bundle and stay in memory.
    sourcemap: 'inline',
    sourcesContent: false,
    // Comments hold the only letters beyond ASCII, for which each copy of the bundle would be twice
    // as large.
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
  }) satisfies BuildOptions;

/** Returns the bundled source of the Worker. */
export async function bundleWorker(main: string): Promise<string> {
  const { outputFiles } = await build(bundleOptions(main));
  // Without this, the esbuild process runs until this one exits.
  await stop();
  const file = outputFiles[0];
  if (!file) throw new Error('The bundle is empty.');
  return file.text;
}

/**
 * Bundles the Worker again after each change of its sources. Calls `onChange` with the new source,
 * or with the messages of the errors. The returned function stops it.
 */
export async function watchWorker(
  main: string,
  onChange: (result: { source: string } | { errors: string[] }) => void,
): Promise<() => Promise<void>> {
  let isFirstBuild = true;
  const bundler = await context({
    ...bundleOptions(main),
    plugins: [
      {
        name: 'on-change',
        setup: (pluginBuild) =>
          pluginBuild.onEnd(({ errors, outputFiles }) => {
            const source = outputFiles?.[0]?.text;
            if (errors.length > 0) onChange({ errors: errors.map(({ text }) => text) });
            else if (!isFirstBuild && source !== undefined) onChange({ source });
            isFirstBuild = false;
          }),
      },
    ],
  });
  await bundler.watch();
  return async () => {
    await bundler.dispose();
    await stop();
  };
}
