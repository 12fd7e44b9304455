import { describe, expect, it } from 'vitest';
import changelog from '../../CHANGELOG.md?raw';
import { changelogMarkdown, idsByRoute, parseChangelog } from '../../src/docs/build/changelog.ts';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';

const document = getOpenApiDocument('Service', '/v2', 'https://api.test');
const ids = idsByRoute(document);
const entries = parseChangelog(changelog, ids);
/** The headings of Keep a Changelog that are used. */
const kinds = ['Added', 'Changed', 'Fixed', 'Removed', 'Security'];
const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('* '));

describe('the changelog', () => {
  it('has every line that begins an entry, under a day and a kind that exist', () => {
    expect(entries).toHaveLength(changelog.match(/^- /gm)?.length ?? 0);
    expect(entries.length).toBeGreaterThan(100);
    for (const { date, kind, text } of entries) {
      expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10), text).toBe(date);
      expect(kinds, text).toContain(kind);
    }
  });

  it('has its days newest first, each once, and each kind of a day once', () => {
    const days = Array.from(changelog.matchAll(/^## (.*)$/gm), ([, day = '']) => day);
    expect(days).toEqual([...new Set(days)].toSorted().toReversed());
    for (const day of changelog.split(/^## /m).slice(1)) {
      const kinds = Array.from(day.matchAll(/^### (.*)$/gm), ([, kind]) => kind);
      expect(new Set(kinds).size, day.slice(0, 10)).toBe(kinds.length);
    }
  });

  it.each(['## [Unreleased]', '## 1.0.0', '## soon'])('does not take %s for a day', (heading) => {
    expect(() => parseChangelog(`# C\n\n${heading}\n\n### Added\n\n- a\n`, ids)).toThrow('no day');
  });

  it('links an entry to the operations that it names by method and path, whatever their parameters are called', () => {
    const text =
      'See `GET /v2/operator/health`, `PUT /{shop}/catalog/brands/{key}.` and `GET /none`';
    const [entry] = parseChangelog(`## 2026-01-02\n\n### Fixed\n\n- ${text}\n`, ids);
    expect(entry).toEqual({
      date: '2026-01-02',
      kind: 'Fixed',
      text,
      slug: expect.stringMatching(/^see-get/),
      operations: ['showHealth', 'updateBrand'],
    });
    const markdown = changelogMarkdown([entry!]);
    expect(markdown).toContain('### January 2, 2026 {#2026-01-02}');
    expect(markdown).toContain('([`showHealth`](op:showHealth), [`updateBrand`](op:updateBrand))');
  });

  it('names only operations that exist, and some in more than thirty entries', () => {
    const known = new Set(ids.values());
    const named = entries.flatMap(({ operations }) => operations);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
    expect(entries.filter(({ operations }) => operations.length > 0).length).toBeGreaterThan(30);
  });
});

describe('the changelog of the documentation', () => {
  it('has all entries, each with an address of its own', () => {
    expect(lines(changelogMarkdown(entries))).toHaveLength(entries.length);
    const addresses = entries.map(({ date, slug }) => `${date}/${slug}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});
