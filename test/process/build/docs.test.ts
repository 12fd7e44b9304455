import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { demoApiKeys } from '../../../src/demo/seed/account-data.ts';
import type { SearchEntry } from '../../../src/docs/browser/search-entry.ts';
import { createFinder } from '../../../src/docs/browser/search-index.ts';
import { ensureDocs } from '../../../src/docs/build/ensure-docs.ts';
import { searchWords } from '../../../src/docs/site/search-words.ts';
import { isSlow } from '../../support/slow.ts';

// The configuration of vitest has built it.
const problems = await ensureDocs('.');

const readFiles = (root: string) =>
  new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path.slice(root.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')];
      }),
  );

const files = readFiles('dist/docs');
const pages = new Map<string, string>(
  [...files].flatMap(([path, text]) =>
    path.endsWith('.html') ? [[`/${path.replace(/\.html$/, '')}`, text] as const] : [],
  ),
);

/** Returns the values of an attribute in a page. */
const valuesOf = (page: string, attribute: string) =>
  Array.from(page.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g')), ([, value = '']) => value);

/** The text of a block of code, as a reader copies it. */
const codeOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim();

/** The search of a language, as the pages load it. */
async function finderOf(language: string) {
  const name = [...files.keys()].find((path) =>
    path.startsWith(`assets/docs/entries_${language.slice(0, 2)}.`),
  );
  const entries = files.get(name ?? '') ?? '';
  return {
    entries: JSON.parse(entries) as SearchEntry[],
    find: await createFinder(`data:application/json,${encodeURIComponent(entries)}`),
  };
}

describe('the search of the documentation', async () => {
  const searches = {
    en: await finderOf('en'),
    'pt-BR': await finderOf('pt-BR'),
    es: await finderOf('es'),
  };
  const [, ...questions] = readFileSync('test/docs/search-questions.tsv', 'utf8')
    .trim()
    .split('\n');

  it.each(questions.map((row) => row.split('\t')))(
    'answers in %s: %s, with %s among its first %s results',
    (language, question = '', pages = '', within = '') => {
      const found = searches[language as keyof typeof searches].find(question);
      const addresses = found.slice(0, Number(within)).map(({ address }) => address);
      // An operation is named by its fragment alone: long pages are cut.
      const isRight = (address: string) =>
        pages
          .split('|')
          .some((page) =>
            page.startsWith('#')
              ? address.endsWith(page)
              : address === page || address.startsWith(`${page}#`),
          );
      expect(addresses.filter(isRight), addresses.join(' ')).not.toEqual([]);
    },
  );

  it('has excerpts without code, and knows further words only for sections that there are', () => {
    for (const { entries } of Object.values(searches)) {
      expect(entries.filter(({ x }) => /\{\{|curl /.test(x))).toEqual([]);
      expect(entries.filter(({ k }) => k !== undefined)).toHaveLength(
        Object.keys(searchWords).length,
      );
    }
  });
});

describe('the built documentation', () => {
  it('has no broken link, and no missing description or translation', () => {
    expect(problems).toEqual([]);
  });

  // A build takes ten seconds of CPU.
  it.runIf(isSlow)('is the same after each build of the same sources', () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-api-docs-'));
    const command = ['src/docs/build/build-docs.ts', '--out', folder];
    const { stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    expect(stderr).toBe('');
    const again = readFiles(folder);
    rmSync(folder, { recursive: true });
    expect([...again.keys()].toSorted()).toEqual([...files.keys()].toSorted());
    for (const [path, text] of again) expect(files.get(path) === text, path).toBe(true);
  });

  it('has every guide in three languages', () => {
    const guides = [...pages.keys()].filter((path) => path.includes('/guides/'));
    expect(guides).toHaveLength(15 * 3);
  });

  it('contains no API key of the demo: the Worker puts it into the pages of a local deployment', () => {
    for (const [path, text] of files) {
      for (const { token, secret } of demoApiKeys) {
        expect(text.includes(token) || text.includes(secret), path).toBe(false);
      }
    }
  });

  it('has only links that lead to a page and to an id in it', () => {
    const ids = new Map([...pages].map(([path, page]) => [path, new Set(valuesOf(page, 'id'))]));
    // There a script creates the form of the operation that the fragment names.
    for (const [, id = ''] of (files.get('openapi.json') ?? '').matchAll(
      /"operationId":"(\w+)"/g,
    )) {
      ids.get('/docs/reference')?.add(id);
    }
    const elsewhere =
      /^\/(?:account|partners|oauth|session|demo\/inbox|\.well-known\/|openapi\.|llms\.txt|assets\/|$)|^\{\{icon\}\}/;
    const broken: string[] = [];
    for (const [path, page] of pages) {
      for (const href of new Set(valuesOf(page, 'href'))) {
        const [target = '', id] = href.replaceAll(/\{\{(?:origin|reader)\}\}/g, '').split('#');
        if (/^(?:https?:|mailto:|data:)/.test(target) || elsewhere.test(target)) continue;
        const exists = target === '' ? path : target === '/docs' ? '/docs/en' : target;
        const isFound = /\.(?:md|atom|json)$/.test(target)
          ? files.has(target.slice(1))
          : ids.has(exists);
        if (!isFound || (id !== undefined && !ids.get(exists)?.has(id)))
          broken.push(`${path}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('names each page of a tag by its subject, and none by its number', () => {
    const titles = [...pages]
      .filter(([path]) => path.startsWith('/docs/reference/'))
      .map(([, page]) => /<h1>([^<]+)</.exec(page)?.[1] ?? '');
    expect(titles).toContain('Operators: members of stores');
    expect(titles.filter((title) => /\d of \d/.test(title))).toEqual([]);
  });

  it('shows code that a reader copies as it was written', () => {
    for (const [path, page] of pages) {
      const written = files.get(`${path.slice(1)}.md`);
      if (written === undefined) continue;
      const blocks = Array.from(written.matchAll(/^```[\w ]*\n([^]*?)^```$/gm), ([, code]) =>
        code?.trim(),
      );
      const shown = Array.from(
        page.matchAll(/<pre[^>]*><code>([^]*?)<\/code><\/pre>/g),
        ([, code]) => codeOf(code ?? ''),
      );
      // A page of the reference also has examples of responses.
      if (path.includes('/guides/')) expect(shown, path).toEqual(blocks);
      else expect(shown, path).toEqual(expect.arrayContaining(blocks));
    }
  });

  it('has pages with unique ids, one h1, one main, and no inline style or script', () => {
    for (const [path, page] of pages) {
      const ids = valuesOf(page, 'id');
      expect(ids.length, path).toBe(new Set(ids).size);
      expect(page.split('<h1>'), path).toHaveLength(2);
      expect(page.split('<main '), path).toHaveLength(2);
      expect(page, path).not.toMatch(/<style|<script(?! src=)|<[^>]* (?:style|on\w+)=/);
      expect(page, path).toMatch(
        /<title>[^<]+<\/title>.*<meta name="description" content="[^"]+"/s,
      );
    }
  });

  it.each([
    [
      'es',
      /existencias|\bpetici(?:ón|ones)\b(?! de las personas)|\bsocios\b|\busted\b|aplicación(?! de)/i,
    ],
    ['pt-br', /\bpetiç(?:ão|ões)\b|aplicativos?\b(?! autenticador)/i],
  ])('has one word for one thing, as the pages of merchants: %s', (language, others) => {
    const found = Array.from(pages)
      .filter(([path]) => path.startsWith(`/docs/${language}`))
      .flatMap(([path, page]) => {
        const [, main = ''] = /<main [^>]*>([^]*)<\/main>/.exec(page) ?? [];
        const text = main.replaceAll(/<pre[^]*?<\/pre>|<code>[^]*?<\/code>|<[^>]*>/g, ' ');
        const [other] = others.exec(text) ?? [];
        return other === undefined ? [] : [`${path}: ${other}`];
      });
    expect(found).toEqual([]);
  });

  it('names each translation of a guide with its language', () => {
    const page = pages.get('/docs/pt-br/guides/oauth') ?? '';
    expect(page).toContain('<html lang="pt-BR">');
    for (const [language, path] of [
      ['en', '/docs/guides/oauth'],
      ['pt-BR', '/docs/pt-br/guides/oauth'],
      ['es', '/docs/es/guides/oauth'],
    ]) {
      expect(page).toContain(`hreflang="${language}" href="{{origin}}${path}"`);
    }
  });

  it('sends less than 60 KB for a page: its HTML, styles and scripts after gzip, all of them our own', () => {
    const sent = new Map([...files].map(([path, text]) => [`/${path}`, gzipSync(text).length]));
    for (const [path, page] of pages) {
      // The style of the brand is some lines, made by each deployment.
      const assets = new Set(page.match(/(?<=<(?:link rel="stylesheet" href|script src)=")[^"]+/g));
      expect(assets.size, path).toBeGreaterThan(0);
      const unknown = [...assets].filter(
        (asset) => !sent.has(asset) && asset !== '/assets/brand.css',
      );
      expect(unknown, path).toEqual([]);
      const bytes = [...assets].reduce(
        (sum, asset) => sum + (sent.get(asset) ?? 0),
        gzipSync(page).length,
      );
      expect(bytes, path).toBeLessThan(60_000);
    }
  });

  it('has no page above 60,000 bytes of HTML, and no own script above 30 KB', () => {
    const above = Array.from(pages, ([path, page]) => ({ path, bytes: Buffer.byteLength(page) }))
      .filter(({ bytes }) => bytes > 60_000)
      // The page has the newest hundred entries of the changelog.
      .filter(({ path, bytes }) => path !== '/docs/guides/versions' || bytes > 80_000);
    expect(above).toEqual([]);
    for (const [path, text] of files) {
      if (/^assets\/docs\/(?:site|search|reference)\..*\.js$/.test(path)) {
        expect(text.length, path).toBeLessThan(30_000);
      }
    }
  });
});
