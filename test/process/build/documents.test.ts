import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Files of the project, without those of packages that a folder of tests installs. */
const findFiles = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] });

const documents = [
  'README.md',
  'CHANGELOG.md',
  ...findFiles('.github/*.md', '{src,test,drizzle}/**/*.md'),
]
  .map((file) => file.replaceAll('\\', '/'))
  // The guides are written for partners; test/docs/guides.test.ts checks them.
  .filter((file) => !file.startsWith('src/docs/guides/'));

const sources = findFiles('{src,test,drizzle}/**/*.{ts,tsx,js,sql,php,py}').filter(
  (file) => !file.includes('worker-configuration'),
);
const code = [...sources, 'wrangler.toml', 'package.json'].map(read).join('\n');
const identifiers = new Set(code.match(/[A-Za-z_][A-Za-z0-9_]*/g));
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** A document without its blocks of code. */
const prose = (document: string) => read(document).replaceAll(/^```[\s\S]*?^```/gm, '');

/** The texts between single backticks. */
const quoted = (document: string) =>
  [...prose(document).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

describe.each(documents)('%s', (document) => {
  it('links to files that exist', () => {
    const targets = [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
    const local = targets.filter((to) => !/^(?:https?:|mailto:|#)/.test(to));
    const broken = local.filter(
      (to) => !existsSync(resolve(root, dirname(document), to.replace(/#.*/, ''))),
    );
    expect(broken).toEqual([]);
  });

  it('names files that exist', () => {
    const paths = quoted(document).filter((text) =>
      /^(?:src|test|drizzle|\.github)\/[\w./{},*-]*$/.test(text),
    );
    const missing = paths.filter(
      (path) => globSync(path.replace(/\/$/, ''), { cwd: root }).length === 0,
    );
    expect(missing).toEqual([]);
  });

  it('names identifiers and settings that the code has', () => {
    // The changelog also names what is gone.
    const names = document === 'CHANGELOG.md' ? [] : quoted(document);
    const identifierLike = names
      .map((text) => text.replace(/\(.*\)$/, ''))
      .filter((text) => /^(?:[a-z]+[A-Z]|[A-Z][a-z]+[A-Z]|[A-Z]+_)\w*(?:\.\w+)*$/.test(text));
    const unknown = identifierLike.filter((text) =>
      text.split('.').some((part) => !identifiers.has(part)),
    );
    expect(unknown).toEqual([]);
  });

  it('names scripts that package.json has', () => {
    const named = [...read(document).matchAll(/npm run ([a-z:-]*[a-z])/g)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('the documents', () => {
  it('keep README.md within 150 lines', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
  });

  it('are the only documents that code and tests refer to', () => {
    const citation = /\b(?:contract|webhooks|sources|oauth|pages|house)(?:\.md)? \d+(?:\.\d+)*\b/;
    const citing = [...sources, ...documents].filter((file) => citation.test(read(file)));
    const absent = [...code.matchAll(/\b[\w/-]+\.md\b/g)].map(([name]) => name.split('/').at(-1));
    const known = new Set(documents.map((file) => file.split('/').at(-1)));
    expect(citing).toEqual([]);
    expect([...new Set(absent)].filter((name) => !known.has(name))).toEqual([]);
  });
});
