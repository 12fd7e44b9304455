import { describe, expect, it } from 'vitest';
import { TtlCache } from '../../src/base/ttl-cache.ts';

const ttlMs = 30_000;

describe('TtlCache', () => {
  it('returns an entry until its TTL is over', () => {
    const cache = new TtlCache<string>(ttlMs, 10);
    cache.set('key', 'value', 1_000);
    expect(cache.get('key', 1_000 + ttlMs - 1)).toMatchObject({ value: 'value' });
    expect(cache.get('key', 1_000 + ttlMs)).toBeUndefined();
  });

  it('distinguishes the cached value undefined from no entry', () => {
    const cache = new TtlCache<string | undefined>(ttlMs, 10);
    cache.set('unknown', undefined, 0);
    expect(cache.get('unknown', 1)).toMatchObject({ value: undefined });
    expect(cache.get('other', 1)).toBeUndefined();
  });

  it('evicts the oldest entry beyond its capacity', () => {
    const cache = new TtlCache<number>(ttlMs, 2);
    for (const number of [1, 2, 3]) cache.set(String(number), number, 0);
    expect([1, 2, 3].map((number) => cache.get(String(number), 1)?.value)).toEqual([
      undefined,
      2,
      3,
    ]);
  });

  it('replaces an entry without evicting another', () => {
    const cache = new TtlCache<number>(ttlMs, 2);
    for (const key of ['one', 'other', 'other']) cache.set(key, 1, 0);
    expect(cache.get('one', 1)).toMatchObject({ value: 1 });
  });

  it('keeps entries forever with an infinite TTL', () => {
    const cache = new TtlCache<string>(Infinity, 10);
    cache.set('key', 'value', 0);
    expect(cache.get('key', Number.MAX_SAFE_INTEGER)).toMatchObject({ value: 'value' });
  });

  it('deletes one entry by its key, and several by their values', () => {
    const cache = new TtlCache<number>(ttlMs, 10);
    for (const number of [1, 2, 3]) cache.set(String(number), number, 0);
    cache.delete('1');
    cache.deleteWhere((value) => value > 2);
    expect([1, 2, 3].map((number) => cache.get(String(number), 1)?.value)).toEqual([
      undefined,
      2,
      undefined,
    ]);
  });
});
