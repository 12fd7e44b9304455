import { describe, expect, it } from 'vitest';
import {
  toPaginationOfStrings,
  linkHeader,
  type PageLinks,
  Pagination,
  toPagination,
  PaginationOfStrings,
} from '../../../../src/base/codecs/listing/pagination.ts';

const url = 'https://api.test/v2/shop/catalog/brands?limit=10&page=2&search=name%3Aa';
const at = (page: number) =>
  `https://api.test/v2/shop/catalog/brands?limit=10&page=${page}&search=name%3Aa`;
const position = (page: number, total: number, links: PageLinks = {}) => ({
  total,
  count: 1,
  page,
  perPage: 10,
  url,
  links,
});
const next: PageLinks = { next: ['cursor', 'v1.x'] };
const nextUrl = 'https://api.test/v2/shop/catalog/brands?limit=10&search=name%3Aa&cursor=v1.x';

describe('toPagination', () => {
  it.each([
    ['the only page', 1, 10, 1, '', ''],
    ['the first page', 1, 11, 2, '', nextUrl],
    ['a middle page', 2, 25, 3, at(1), nextUrl],
    ['the last page', 3, 25, 3, at(2), ''],
    ['past the end', 9, 25, 3, at(3), ''],
    ['an empty list', 1, 0, 1, '', ''],
    ['past the end of an empty list', 5, 0, 1, at(1), ''],
  ])('returns the links of %s', (_, page, total, pages, previous, expectedNext) => {
    const pagination = toPagination(position(page, total, expectedNext ? next : {}));
    expect(pagination).toEqual({
      total,
      count: 1,
      per_page: 10,
      current_page: page,
      total_pages: pages,
      links: { previous, next: expectedNext },
    });
    expect(Pagination.parse(pagination)).toEqual(pagination);
  });

  it('takes the previous page from its cursor, and by its number only where that is allowed', () => {
    const back = toPagination(position(2, 25, { previous: ['cursor', 'v1.y'] })).links.previous;
    expect(back).toBe(nextUrl.replace('v1.x', 'v1.y'));
    expect(toPagination(position(1001, 100_000)).links.previous).toBe(at(1000));
    expect(toPagination(position(1002, 100_000)).links.previous).toBe('');
  });

  it('returns strings for transactions', () => {
    const pagination = toPaginationOfStrings(
      toPagination({ ...position(1, 1), url: 'https://a.test/' }),
    );
    expect(PaginationOfStrings.parse(pagination)).toEqual({
      total: '1',
      count: '1',
      per_page: '10',
      current_page: '1',
      total_pages: '1',
      links: { previous: '', next: '' },
    });
  });
});

describe('linkHeader', () => {
  const links = (page: number, total: number, sent: PageLinks = {}) =>
    linkHeader(toPagination(position(page, total, sent)).links).Link;

  it('names the existing neighbour pages', () => {
    expect(links(2, 25, next)).toBe(`<${nextUrl}>; rel="next", <${at(1)}>; rel="prev"`);
    expect(links(3, 25)).toBe(`<${at(2)}>; rel="prev"`);
    expect(links(1, 5)).toBeUndefined();
  });
});
