import type { Context } from 'hono';
import type { Listing, ListPosition, SortValue } from '../base/codecs/listing/options.ts';
import type { PageLinks } from '../base/codecs/listing/pagination.ts';
import { sha256 } from '../base/crypto/digest.ts';
import { deriveKey, rootsOf } from '../base/crypto/keys.ts';
import { seal, unseal } from '../base/crypto/seal.ts';
import { HttpError } from '../base/errors.ts';
import type { AppEnv } from './app-env.ts';
import { pathUnder } from './operation.ts';
import { sentQuery } from './read-request.ts';

const keyLabel = 'list-cursor/v1';

/** A longer cursor would not fit into every URL. It takes a hostile name to reach this. */
const maxCursorLength = 8_000;

/** The parameters that differ between the pages of one walk. */
const pagingParameters: ReadonlySet<string> = new Set(['page', 'limit', 'cursor']);

/** The positions of the neighbour pages, from the result of a list. */
export interface PageEnds {
  next?: ListPosition | undefined;
  previous?: ListPosition | undefined;
}

/**
 * Replaces the sealed cursor of a query by the position that it holds. Throws a 400 unless it was
 * issued for the same query, store and credential.
 */
export async function openCursor(
  c: Context<AppEnv>,
  query: Listing,
  body: Uint8Array,
): Promise<Listing> {
  if (query.cursor === undefined) return query;
  const context = await contextOf(c, body);
  for (const root of rootsOf(c.get('settings').tokenKeys)) {
    const key = await deriveKey(root, keyLabel, 'seal');
    const text = await unseal(key, query.cursor, context).catch(() => undefined);
    if (text !== undefined) {
      const position = parsePosition(text);
      return { ...query, position, page: position.page };
    }
  }
  throw new HttpError('invalid_query', {
    errors: {
      cursor: [
        'Must be the cursor of a link in meta.pagination.links, with the same query, store and credentials.',
      ],
    },
  });
}

/**
 * Seals the positions of a page's neighbours. Only their context is known to a reader of the
 * cursor.
 */
export async function sealCursors(
  c: Context<AppEnv>,
  { next, previous }: PageEnds,
  body: Uint8Array,
): Promise<PageLinks> {
  if (!next && !previous) return {};
  const context = await contextOf(c, body);
  const key = await deriveKey(c.get('settings').tokenKeys.current, keyLabel, 'seal');
  const linkTo = async (position: ListPosition | undefined) => {
    if (!position) return undefined;
    const cursor = await seal(key, formatPosition(position), context);
    return cursor.length <= maxCursorLength
      ? (['cursor', cursor] as const)
      : (['page', String(position.page)] as const);
  };
  const [nextLink, previousLink] = await Promise.all([linkTo(next), linkTo(previous)]);
  return { next: nextLink, previous: previousLink };
}

/**
 * Returns the context of a cursor: the credential, the store, and the request apart from its
 * paging.
 */
async function contextOf(c: Context<AppEnv>, body: Uint8Array): Promise<string> {
  const { principal, db } = c.get('admitted');
  const parameters = sentQuery(c).pairs.filter(([name]) => !pagingParameters.has(name));
  const sent = body.length > 0 ? await sha256(body) : '';
  return JSON.stringify([
    principal.key,
    c.req.method,
    // Pages go on after the store was renamed.
    db ? pathUnder(c.req.path, db.store.id) : c.req.path,
    parameters.sort(([one], [other]) => (one < other ? -1 : Number(one > other))),
    sent,
  ]);
}

type Sealed = [page: number, isBack: 0 | 1, total: number | null, ...values: SortValue[]];

const formatPosition = ({ page, isBack, total, values }: ListPosition): string =>
  JSON.stringify([page, isBack ? 1 : 0, total ?? null, ...values] satisfies Sealed);

function parsePosition(text: string): ListPosition {
  // Only `formatPosition` creates a text that opens.
  const [page, isBack, total, ...values] = JSON.parse(text) as Sealed;
  return { page, isBack: isBack === 1, values, ...(total !== null && { total }) };
}
