import { describe, expect, it } from 'vitest';
import {
  toPaginationOfStrings,
  linkHeader,
  Pagination,
  toPagination,
  PaginationOfStrings,
} from '../../../src/codecs/listing/pagination.ts';

const url = 'https://api.test/v2/shop/catalog/brands?limit=10&page=2&search=name%3Aa';
const at = (page: number) =>
  `https://api.test/v2/shop/catalog/brands?limit=10&page=${page}&search=name%3Aa`;
const position = (page: number, total: number) => ({ total, count: 1, page, perPage: 10, url });

describe('toPagination', () => {
  it.each([
    ['the only page', 1, 10, 1, '', ''],
    ['the first page', 1, 11, 2, '', at(2)],
    ['a middle page', 2, 25, 3, at(1), at(3)],
    ['the last page', 3, 25, 3, at(2), ''],
    ['past the end', 9, 25, 3, at(3), ''],
    ['an empty list', 1, 0, 1, '', ''],
    ['past the end of an empty list', 5, 0, 1, at(1), ''],
  ])('returns the links of %s', (_, page, total, pages, previous, next) => {
    const pagination = toPagination(position(page, total));
    expect(pagination).toEqual({
      total,
      count: 1,
      per_page: 10,
      current_page: page,
      total_pages: pages,
      links: { previous, next },
    });
    expect(Pagination.parse(pagination)).toEqual(pagination);
  });

  it('adds the parameter page if absent', () => {
    const pagination = toPagination({
      total: 2,
      count: 1,
      page: 1,
      perPage: 1,
      url: new URL('https://a.test/b'),
    });
    expect(pagination.links.next).toBe('https://a.test/b?page=2');
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
  const links = (page: number, total: number) =>
    linkHeader(toPagination(position(page, total)).links);

  it('names the existing neighbour pages', () => {
    expect(links(2, 25)).toBe(`<${at(3)}>; rel="next", <${at(1)}>; rel="prev"`);
    expect(links(3, 25)).toBe(`<${at(2)}>; rel="prev"`);
    expect(links(1, 5)).toBeUndefined();
  });
});
