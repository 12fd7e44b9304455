import * as z from 'zod';

const Links = z.object({ previous: z.string(), next: z.string() });

/** Reply: `meta.pagination`. */
export const Pagination = z
  .object({
    total: z.int(),
    count: z.int(),
    per_page: z.int(),
    current_page: z.int(),
    total_pages: z.int(),
    links: Links,
  })
  .meta({ id: 'Pagination' });

/** Reply: `meta.pagination` of transactions, whose numbers are strings. */
export const PaginationOfStrings = z
  .object({
    total: z.string(),
    count: z.string(),
    per_page: z.string(),
    current_page: z.string(),
    total_pages: z.string(),
    links: Links,
  })
  .meta({ id: 'PaginationOfStrings' });

/** What a page is, and the full URL it was asked for with. */
export interface Page {
  total: number;
  count: number;
  page: number;
  perPage: number;
  url: string | URL;
}

/** The `meta.pagination` of a page (contract 1.7). */
export function pagination({
  total,
  count,
  page,
  perPage,
  url,
}: Page): z.output<typeof Pagination> {
  const totalPages = Math.max(1, Math.ceil(total / perPage));
  const previous = Math.min(page - 1, totalPages);
  return {
    total,
    count,
    per_page: perPage,
    current_page: page,
    total_pages: totalPages,
    links: {
      previous: previous >= 1 ? atPage(url, previous) : '',
      next: page < totalPages ? atPage(url, page + 1) : '',
    },
  };
}

/** The same with its five numbers as strings. */
export function asStrings(
  shown: z.output<typeof Pagination>,
): z.output<typeof PaginationOfStrings> {
  return {
    total: String(shown.total),
    count: String(shown.count),
    per_page: String(shown.per_page),
    current_page: String(shown.current_page),
    total_pages: String(shown.total_pages),
    links: shown.links,
  };
}

/** Value of the `Link` header (RFC 8288) for the links of a page, undefined when it has no neighbour. */
export function linkHeader({ previous, next }: z.output<typeof Links>): string | undefined {
  const links = [next && `<${next}>; rel="next"`, previous && `<${previous}>; rel="prev"`];
  return links.filter(Boolean).join(', ') || undefined;
}

function atPage(url: string | URL, page: number): string {
  const neighbour = new URL(url);
  neighbour.searchParams.set('page', String(page));
  return neighbour.href;
}
