import { describe, expect, it } from 'vitest';
import {
  formatPlace,
  mergeWindows,
  parsePlace,
  type AuditPlace,
  type AuditQuery,
  type AuditRow,
} from '../../../src/data/audit/window.ts';

const row = (id: number, at: number, action = 'a'): AuditRow => ({
  id,
  at,
  action,
  actor_kind: 'user',
  actor_id: '1',
  actor_name: 'Olga',
  target_kind: 'webhook',
  target_id: '1',
  target_name: null,
  is_target_live: null,
  reason: null,
  changes: '{}',
  country: null,
  network: null,
});

/**
 * The rows that a database returns: newest first, after the place, at most as many as the window
 * holds.
 */
const windowOf = (
  source: 'd' | 's',
  rows: readonly AuditRow[],
  query: AuditQuery,
  size: number,
) => ({
  source,
  rows: rows
    .filter(({ at, id }) => {
      const { after } = query;
      if (!after) return true;
      if (source === after.source) return at < after.at || (at === after.at && id < after.id);
      return source > after.source ? at <= after.at : at < after.at;
    })
    .toSorted((one, other) => other.at - one.at || other.id - one.id)
    .slice(0, size),
});

function walk(
  directory: readonly AuditRow[],
  store: readonly AuditRow[],
  query: AuditQuery,
  size: number,
) {
  const pages: string[][] = [];
  let after: AuditPlace | undefined;
  do {
    const asked = { ...query, after };
    const { rows, next } = mergeWindows(
      [windowOf('d', directory, asked, size), windowOf('s', store, asked, size)],
      asked,
    );
    pages.push(rows.map(({ source, id }) => `${source}${id}`));
    after = next && parsePlace(formatPlace(next));
  } while (after && pages.length < 100);
  return pages;
}

describe('mergeWindows', () => {
  it('shows each line once in the order of time, also many at the same time', () => {
    const directory = [1, 2, 3, 4, 5].map((id) => row(id, 100));
    const store = [1, 2, 3].map((id) => row(id, 100)).concat(row(4, 101), row(5, 99));
    const pages = walk(directory, store, { limit: 2 }, 3);
    expect(pages.flat()).toEqual(['s4', 'd5', 'd4', 'd3', 'd2', 'd1', 's3', 's2', 's1', 's5']);
    expect(pages.every((page) => page.length <= 2)).toBe(true);
  });

  it('goes on behind a window in which nothing matches, and leaves nothing out', () => {
    const many = Array.from({ length: 1_201 }, (_, index) => row(index + 1, index));
    const store = [...many, row(5_000, 3, 'wanted'), row(5_001, 700, 'wanted')];
    const directory = [row(1, 2, 'wanted'), row(2, 1_300, 'wanted')];
    const pages = walk(directory, store, { limit: 10, action: 'wanted' }, 500);
    expect(pages.flat()).toEqual(['d2', 's5001', 's5000', 'd1']);
    expect(pages).toHaveLength(3);
  });
});

describe('parsePlace', () => {
  it.each(['', 'x', '1d', 'd1', '1x1', '1d1d1', '-1d1', '1'.repeat(16) + 'd1'])(
    'returns nothing for %j',
    (text) => {
      expect(parsePlace(text)).toBeUndefined();
    },
  );
});
