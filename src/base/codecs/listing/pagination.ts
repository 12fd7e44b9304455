import * as z from 'zod';
import { maxSkipped } from './parse-parameters.ts';

const Links = z
  .object({
    previous: z.string().describe('Full URL of the page before; "" on the first page.'),
    next: z
      .string()
      .describe('Full URL of the page after; "" on the last page. Follow it to walk a list.'),
  })
  .describe('Addresses of the neighbour pages, with all parameters of the query.');

/** The meanings of the numbers of a page. */
const meanings = {
  total: 'Records that match the query; a lower bound if the header X-Total-Capped is true.',
  count: 'Records on this page.',
  per_page: 'Most records on a page: limit, at most 100.',
  current_page: 'Number of this page, from 1.',
  total_pages: 'Pages of the list, at least 1.',
};

/** Response field: `meta.pagination`. */
export const Pagination = z
  .object({
    total: z.int().describe(meanings.total),
    count: z.int().describe(meanings.count),
    per_page: z.int().describe(meanings.per_page),
    current_page: z.int().describe(meanings.current_page),
    total_pages: z.int().describe(meanings.total_pages),
    links: Links,
  })
  .meta({ id: 'Pagination', description: 'Where a page is in its list.' });

/** Response field: `meta.pagination` of transactions, with strings instead of numbers. */
export const PaginationOfStrings = z
  .object({
    total: z.string().describe(meanings.total),
    count: z.string().describe(meanings.count),
    per_page: z.string().describe(meanings.per_page),
    current_page: z.string().describe(meanings.current_page),
    total_pages: z.string().describe(meanings.total_pages),
    links: Links,
  })
  .meta({
    id: 'PaginationOfStrings',
    description: 'Where a page is in its list; the numbers are texts.',
  });

/** The parameter of a link that leads to a neighbour page. */
type PageLink = readonly [name: 'cursor' | 'page', value: string];

/**
 * How to ask for the neighbour pages. Without `previous`, the previous page is asked for by its
 * number.
 */
export interface PageLinks {
  next?: PageLink | undefined;
  previous?: PageLink | undefined;
}

/** The position of a page in its list, and the full URL of the request. */
interface PagePosition {
  total: number;
  count: number;
  page: number;
  perPage: number;
  url: string | URL;
  links: PageLinks;
}

/** Returns the `meta.pagination` of a page. Past the end, the previous page is the last one. */
export function toPagination({
  total,
  count,
  page,
  perPage,
  url,
  links,
}: PagePosition): z.output<typeof Pagination> {
  const totalPages = Math.max(1, Math.ceil(total / perPage));
  const previous = Math.min(page - 1, totalPages);
  const byNumber: PageLink | undefined =
    previous >= 1 && previous * perPage <= maxSkipped ? ['page', String(previous)] : undefined;
  return {
    total,
    count,
    per_page: perPage,
    current_page: page,
    total_pages: totalPages,
    links: {
      previous: linkTo(url, links.previous ?? byNumber),
      next: linkTo(url, links.next),
    },
  };
}

/** Converts the five numbers to strings. */
export function toPaginationOfStrings(
  pagination: z.output<typeof Pagination>,
): z.output<typeof PaginationOfStrings> {
  return {
    total: String(pagination.total),
    count: String(pagination.count),
    per_page: String(pagination.per_page),
    current_page: String(pagination.current_page),
    total_pages: String(pagination.total_pages),
    links: pagination.links,
  };
}

/**
 * The most characters of a `Link` header. Its addresses repeat what was sent, and clients refuse
 * long headers.
 */
export const maxLinkLength = 4_096;

/**
 * Returns the `Link` header (RFC 8288), none if there is no other page or if it would be too long:
 * the body has the same.
 */
export function linkHeader({ previous, next }: z.output<typeof Links>): { Link?: string } {
  const links = [next && `<${next}>; rel="next"`, previous && `<${previous}>; rel="prev"`];
  const value = links.filter(Boolean).join(', ');
  return value === '' || value.length > maxLinkLength ? {} : { Link: value };
}

function linkTo(url: string | URL, link: PageLink | undefined): string {
  if (!link) return '';
  // Cursors and numbers need no encoding.
  if (!String(url).includes('?')) return `${String(url)}?${link.join('=')}`;
  const linked = new URL(url);
  linked.searchParams.delete(link[0] === 'page' ? 'cursor' : 'page');
  linked.searchParams.set(...link);
  return linked.href;
}
