import { describe, expect, it } from 'vitest';
import {
  asStrings,
  linkHeader,
  Pagination,
  pagination,
  PaginationOfStrings,
} from '../../src/wire/pagination.ts';

const url = 'https://api.test/v2/shop/catalog/brands?limit=10&page=2&search=name%3Aa';
const at = (page: number) =>
  `https://api.test/v2/shop/catalog/brands?limit=10&page=${page}&search=name%3Aa`;
const place = (page: number, total: number) => ({ total, count: 1, page, perPage: 10, url });

describe('pagination', () => {
  it.each([
    ['the only page', 1, 10, 1, '', ''],
    ['the first page', 1, 11, 2, '', at(2)],
    ['a middle page', 2, 25, 3, at(1), at(3)],
    ['the last page', 3, 25, 3, at(2), ''],
    ['past the end', 9, 25, 3, at(3), ''],
    ['no rows', 1, 0, 1, '', ''],
    ['past the end of no rows', 5, 0, 1, at(1), ''],
  ])('%s', (_, page, total, pages, previous, next) => {
    const made = pagination(place(page, total));
    expect(made).toEqual({
      total,
      count: 1,
      per_page: 10,
      current_page: page,
      total_pages: pages,
      links: { previous, next },
    });
    expect(Pagination.parse(made)).toEqual(made);
  });

  it('adds the page where there was none', () => {
    const made = pagination({
      total: 2,
      count: 1,
      page: 1,
      perPage: 1,
      url: new URL('https://a.test/b'),
    });
    expect(made.links.next).toBe('https://a.test/b?page=2');
  });

  it('shows strings in transactions', () => {
    const made = asStrings(pagination({ ...place(1, 1), url: 'https://a.test/' }));
    expect(PaginationOfStrings.parse(made)).toEqual({
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
  const links = (page: number, total: number) => linkHeader(pagination(place(page, total)).links);

  it('names the neighbours that exist', () => {
    expect(links(2, 25)).toBe(`<${at(3)}>; rel="next", <${at(1)}>; rel="prev"`);
    expect(links(3, 25)).toBe(`<${at(2)}>; rel="prev"`);
    expect(links(1, 5)).toBeUndefined();
  });
});
