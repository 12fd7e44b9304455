import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { maxSkipped } from '../../src/base/codecs/listing/parse-parameters.ts';
import { errorCodes } from '../../src/base/error-codes.ts';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';

const folders = ['en', 'pt-br', 'es'] as const;
const translations = folders.filter((folder) => folder !== 'en');
const slugs = [
  'get-credentials',
  'first-call',
  'oauth',
  'webhooks',
  'lists',
  'idempotency',
  'assistants',
  'rate-limits',
  'errors',
  'values',
  'bulk',
  'test-stores',
  'privacy',
  'versions',
  'moving-here',
];
const sampleFolder = 'src/docs/samples';
const sampleNames = [
  ...new Set(readdirSync(sampleFolder).map((file) => file.replace(/\.\w+$/, ''))),
].toSorted();

const readGuide = (folder: string, slug: string) =>
  readFileSync(`src/docs/guides/${folder}/${slug}.md`, 'utf8');

const all = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([whole, ...groups]) => groups.join(' ') || whole);

it('has samples without a client that print what errors says', () => {
  const plain = readdirSync(sampleFolder)
    .filter((file) => /\.(?:py|php|rb|go)$/.test(file))
    .map((file) => [file, readFileSync(`${sampleFolder}/${file}`, 'utf8')] as const)
    .filter(([, text]) => text.includes('/v2/'));
  expect(plain.length).toBeGreaterThan(8);
  for (const [file, text] of plain) expect(text, file).toMatch(/\bhint\b.*\berrors\b/i);
});

/** The parts of a guide that must be the same in every language. */
const outlineOf = (text: string) => ({
  headings: all(text, /^(##+) .*?\{#([\w-]+)\}$/gm),
  inserts: all(text, /^<!-- (table|sample): ([a-z-]+) -->$/gm),
  links: all(text, /\]\(([^)]+)\)/g).toSorted(),
  rows: all(text, /^\|/gm).length,
  items: all(text, /^(?:\* |\d+\. )/gm).length,
  placeholders: all(text, /\{\{(\w+)\}\}/g).toSorted(),
  commands: all(text, /^```(?:bash|http)\n[^]*?^```/gm),
});

it('no sample prints the hint of a refusal without the errors of its fields', () => {
  const hiding = readdirSync(sampleFolder).filter((file) => {
    const source = readFileSync(`${sampleFolder}/${file}`, 'utf8');
    // Answers of the authorization server have no errors of fields.
    return /\bhint\b/i.test(source) && !/\berrors\b/i.test(source) && !file.startsWith('pkce.');
  });
  expect(hiding).toEqual([]);
});

/** Pages of the built site, as a deployment serves them. */
const readPage = (path: string) => {
  const file = `dist/docs${path}.html`;
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

/** Addresses that the Worker serves itself, or that the demo has. */
const served =
  /^\/(?:account(?:\/(?:keys|apps))?|mcp|partners(?:\/(?:team|test-stores(?:\/new)?))?|demo\/inbox|docs(?:\?lang=[\w-]+)?|\.well-known\/oauth-(?:authorization-server|protected-resource\/mcp)|openapi\.(?:json|yaml)|llms\.txt|assets\/.*|oauth\/.*)$/;

const guidePath = (folder: string, slug: string) =>
  `/docs/${folder === 'en' ? '' : `${folder}/`}guides/${slug}`;

/** Words for a partner that a language of the guides does not use. */
const otherPartners = {
  es: /\bsoci[oa]s?\b|\bparceir/i,
  'pt-br': /\bsóci[oa]s?\b|\bpartners?\b|painel do parceiro/i,
};

describe('the guides', () => {
  it.each(['es', 'pt-br'] as const)('have one word for a partner in %s', (folder) => {
    const texts = slugs.map((slug) =>
      readGuide(folder, slug).replaceAll(
        /^```[^]*?^```|`[^`\n]*`|\]\([^)]*\)|\[\{\{origin[^\]]*/gm,
        '',
      ),
    );
    const found = texts.flatMap((text) => text.match(otherPartners[folder]) ?? []);
    expect(found).toEqual([]);
    expect(texts.join('\n')).toMatch(
      { es: /panel de partners/, 'pt-br': /painel de parceiros/ }[folder],
    );
  });

  it.each(folders)('exist in full in %s', (folder) => {
    const files = readdirSync(`src/docs/guides/${folder}`).map((file) => file.replace(/\.md$/, ''));
    expect(files.toSorted()).toEqual(slugs.toSorted());
  });

  it.each(slugs)('say the same in every language: %s', (slug) => {
    // The other languages link to the changelog.
    const table = '<!-- changelog -->';
    const link = '[Changelog](/docs/guides/versions#changelog)';
    const english = outlineOf(readGuide('en', slug).replace(table, link));
    for (const folder of translations) {
      expect(outlineOf(readGuide(folder, slug)), folder).toEqual(english);
    }
  });

  it.each(folders)('say how many records page numbers reach: %s', (folder) => {
    const number = maxSkipped.toLocaleString(folder === 'en' ? 'en' : 'de');
    expect(readGuide(folder, 'lists')).toMatch(
      new RegExp(`${number}[^.]* \\(\`page\` × \`limit\`\\)`),
    );
  });

  it.each(slugs)('give every heading an id of its own: %s', (slug) => {
    const text = readGuide('en', slug).replaceAll(/^```[^]*?^```/gm, '');
    const ids = all(text, /^##+ .*?\{#([\w-]+)\}$/gm);
    expect(ids).toHaveLength(all(text, /^##+ /gm).length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(slugs)('end with what can go wrong, or with the changelog: %s', (slug) => {
    expect(readGuide('en', slug)).toContain('{#trouble}');
  });

  it('use every sample, and no others', () => {
    const used = slugs.flatMap((slug) =>
      all(readGuide('en', slug), /^<!-- sample: ([a-z-]+) -->$/gm),
    );
    expect([...new Set(used)].toSorted()).toEqual(sampleNames);
  });

  // A program for Hono, which is a framework of TypeScript.
  const inTypeScriptOnly = new Set(['app']);

  it.each(['sh', 'ts', 'php', 'py'])('have every sample as .%s', (ending) => {
    const names = sampleNames.filter((name) => ending === 'ts' || !inTypeScriptOnly.has(name));
    expect(readdirSync(sampleFolder)).toEqual(
      expect.arrayContaining(names.map((name) => `${name}.${ending}`)),
    );
  });

  it.each(folders)('lead only to what exists, in %s', (folder) => {
    const broken = slugs.flatMap((slug) => {
      const own = guidePath(folder, slug);
      const links = all(readPage(own) ?? '', /<a [^>]*?href="([^"]*)"/g);
      expect(links.length).toBeGreaterThan(10);
      return links.filter((link) => {
        const target = link.replaceAll('&amp;', '&').replace(/^\{\{origin\}\}/, '');
        if (/^(?:https:|mailto:)/.test(target)) return false;
        const [path = '', id] = target.split('#');
        if (served.test(path) || /^\/docs\/.*\.(?:md|atom|json)$/.test(path)) return false;
        const page = readPage(path === '' ? own : path);
        return page === undefined || (id !== undefined && !page.includes(` id="${id}"`));
      });
    });
    expect(broken).toEqual([]);
  });

  it.each(translations)('explain every header of a delivery in %s', (folder) => {
    const page = readPage(guidePath(folder, 'webhooks')) ?? '';
    const [event] = Object.values(getOpenApiDocument('Service', '/v2').webhooks);
    const english = (event?.post?.parameters ?? []).flatMap((header) =>
      '$ref' in header ? [] : [header.description],
    );
    expect(english.length).toBeGreaterThan(10);
    expect(english.filter((description) => page.includes(description))).toEqual([]);
  });

  it.each(folders)('explain every code of an error at its anchor, in %s', (folder) => {
    const page = readPage(guidePath(folder, 'errors')) ?? '';
    expect(Object.keys(errorCodes).filter((code) => !page.includes(` id="${code}"`))).toEqual([]);
  });
});
