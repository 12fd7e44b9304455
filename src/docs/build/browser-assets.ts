import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { baseStyle, fontHref } from '../../web/assets/base-style.ts';
import type { SiteAssets } from '../site/props.ts';
import type { SiteData } from '../site/render-site.tsx';

/** Files below `/assets/docs`; their names contain a fingerprint. */
export interface BuiltAssets {
  /** Contents by their path in `dist/docs`. */
  files: Map<string, string | Buffer>;
  /** Addresses by their names without a fingerprint, such as `site.css`. */
  addresses: Record<string, string>;
  links: SiteAssets;
  /** Sources of the scripts. */
  modules: string[];
}

/** Builds the style, the scripts and the search entries of the site. */
export async function buildAssets(root: string, data: SiteData): Promise<BuiltAssets> {
  const files: BuiltAssets['files'] = new Map();
  const addresses: Record<string, string> = {};
  const modules = new Set<string>();
  const add = (name: string, content: string | Buffer) => {
    const fingerprint = createHash('sha256').update(content).digest('hex').slice(0, 14);
    const path = `assets/docs/${name.replace('.', `.${fingerprint}.`)}`;
    files.set(path, content);
    return (addresses[name] = `/${path}`);
  };
  const bundle = async (name: string, define: Record<string, string> = {}) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(root, 'src/docs/browser', name)],
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      define,
      logLevel: 'silent',
    });
    for (const file of Object.keys(metafile.inputs)) modules.add(file);
    return outputFiles[0]?.text ?? '';
  };
  const styleSheet = async (name: string, before: string) => {
    const path = `src/docs/browser/${name}`;
    modules.add(path);
    const style = `${before}\n${readFileSync(join(root, path), 'utf8')}`;
    return (await transform(style, { loader: 'css', minify: true })).code;
  };
  const font = 'src/web/assets/inter.woff2';
  modules.add(font);
  const fontAddress = add('inter.woff2', readFileSync(join(root, font)));
  // The style of pages is part of the Worker, which knows no address of this build.
  if (fontAddress !== fontHref) throw new Error(`fontHref must be ${fontAddress}`);
  const entries = data.searchEntries;
  const links: SiteAssets = {
    style: add('site.css', await styleSheet('site.css', baseStyle)),
    script: add('site.js', await bundle('site.ts')),
    search: add('search.js', await bundle('search-index.ts')),
    searchIndex: {
      en: add('entries_en.json', JSON.stringify(entries.en)),
      'pt-BR': add('entries_pt.json', JSON.stringify(entries['pt-BR'])),
      es: add('entries_es.json', JSON.stringify(entries.es)),
    },
    reference: add('reference.js', await bundle('reference.ts')),
  };
  return { files, addresses, links, modules: [...modules] };
}
