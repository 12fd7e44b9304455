import type { Context } from 'hono';
import { maxLinkLength } from '../base/codecs/listing/pagination.ts';
import type { AppEnv } from './app-env.ts';

/**
 * The path of an operation of a store under another alias, or under what is the same for each
 * alias.
 */
export const pathUnder = (path: string, alias: string | number): string =>
  path.replace(/^(\/[^/]+\/)[^/]+/, `$1${alias}`);

/**
 * Says the present alias with the response of a request under a former one. It does so in words,
 * and as the address to use instead (`rel="canonical"`, RFC 6596), unless that is too long for a
 * header.
 */
export function announceAlias(
  c: Context<AppEnv>,
  { from, to }: AppEnv['Variables']['renamed'],
): void {
  const url = new URL(c.req.url);
  if (url.searchParams.get('store') === from) url.searchParams.set('store', to);
  else url.pathname = pathUnder(url.pathname, to);
  const { headers } = c.res;
  headers.append(
    'X-Warning',
    `The store is called ${to} now: ${from} leads to it for a year after the change.`,
  );
  const link = `<${url.pathname}${url.search}>; rel="canonical"`;
  if (link.length <= maxLinkLength) headers.append('Link', link);
}
