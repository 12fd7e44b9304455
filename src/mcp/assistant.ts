import type { Context } from 'hono';
import { HttpError, storeNotAccessible } from '../base/errors.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { verifyAccessToken, bearerToken } from '../http/access/access-token.ts';
import { authenticateRequest, ensureGuarded } from '../http/access/admit.ts';
import type { Principal } from '../http/access/principal.ts';
import type { AppEnv } from '../http/app-env.ts';
import { operation } from '../http/operation.ts';
import { emptyObject } from '../http/replies.ts';

/**
 * The unit of rate limits for what an assistant asks of this server itself; calls of tools count as
 * those of the API.
 */
const limitTag = 'Assistants';

/**
 * The server's own work, as an operation that `admit` knows. It is in no document and has no route.
 */
const [ofStore, ofAccount] = (['GET /{alias}/mcp', 'GET /mcp'] as const).map((route) =>
  operation({
    id: 'mcp',
    route,
    access: 'signed-in',
    reply: emptyObject(),
    errors: [],
    run: () => Promise.resolve({}),
  }),
) as [ReturnType<typeof operation>, ReturnType<typeof operation>];

/** Nothing is written, so no endpoint has a new delivery. */
const noEvents = { wakeEndpoints: () => Promise.resolve() };

/** The credentials that a request came with, and the store that they open. */
export interface Assistant {
  alias: string;
  /**
   * Checks the credentials for this store, once: 401, 403 or 429. A call of an operation needs it
   * not, which does so itself.
   */
  admit: () => Promise<Principal>;
  /** Whether they were checked here. */
  isAsked: () => boolean;
}

/**
 * Finds the store of a request: that of its access token; or `named`, or the only one that its API
 * key opens. Marks the request as one over `/mcp`. Throws a 401 for credentials that are missing or
 * wrong.
 */
export async function identifyAssistant(
  c: Context<AppEnv>,
  named: string | undefined,
): Promise<Assistant> {
  const { tokenKeys } = c.get('settings');
  const { headers } = c.req.raw;
  const token = bearerToken(headers.get('Authorization'));
  const claims = token && (await verifyAccessToken(tokenKeys, token, Date.now()));
  c.set('assistantCall', { isTried: false, earlierKey: undefined });
  const own = claims ? claims.alias : undefined;
  const alias = token ? own && (named ?? own) : (named ?? (await onlyStore(c)));
  if (alias === undefined || !/^[\w-]+$/.test(alias)) {
    await authenticateRequest(ofAccount, limitTag, noEvents)(c);
    throw storeNotAccessible();
  }
  let admitted: Promise<Principal> | undefined;
  const enter = async () => {
    await authenticateRequest(ofStore, limitTag, noEvents, () => alias)(c);
    await ensureGuarded(c);
    return c.get('admitted').principal;
  };
  const admit = () => (admitted ??= enter());
  // The directory knows whether the store of a token is or was called so.
  if (own !== undefined && alias !== own) await admit();
  return { alias, admit, isAsked: () => admitted !== undefined };
}

/** The only stores of API keys. Short: a key that opens a second store must name one. */
const onlyStores = new TtlCache<string>(30_000, 5_000);

/**
 * The alias of the only active store that an API key opens. Throws a 400 if there are several, a
 * 403 if there is none.
 */
async function onlyStore(c: Context<AppEnv>): Promise<string> {
  // In memory only, and shorter than what is kept of the key itself.
  const key = `${c.req.header('User-Token')} ${c.req.header('User-Secret-Key')}`;
  const known = onlyStores.get(key, Date.now());
  if (known) return known.value;
  await authenticateRequest(ofAccount, limitTag, noEvents)(c);
  const found = await c.get('admitted').account().profile();
  const [first, ...others] = (found?.merchants ?? []).filter(({ active }) => active);
  if (!first) throw storeNotAccessible();
  if (others.length > 0) {
    const listed = [first, ...others].slice(0, 10).map(({ alias }) => alias);
    const store = [`Required: this key opens ${others.length + 1} stores.`];
    throw new HttpError('invalid_query', {
      errors: { store },
      hint: `Name the store in the address, /mcp?store=${first.alias}: this key opens ${listed.join(', ')}.`,
    });
  }
  onlyStores.set(key, first.alias, Date.now());
  return first.alias;
}
