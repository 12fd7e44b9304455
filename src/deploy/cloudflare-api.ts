import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Wrangler } from './wrangler.ts';

const tokenSchema = z.union([
  z.object({ token: z.string() }),
  z.object({ key: z.string(), email: z.string() }),
]);

/**
 * Reads the credentials of wrangler, for calls that wrangler has no command for. No error shows
 * what it printed.
 */
async function readCredentials(wrangler: Wrangler): Promise<Record<string, string>> {
  const printed = await wrangler.run(['auth', 'token', '--json']).catch((cause: unknown) => {
    throw new Error(`Run npx wrangler login, or set CLOUDFLARE_API_TOKEN.\n${String(cause)}`, {
      cause,
    });
  });
  let auth: z.output<typeof tokenSchema>;
  try {
    auth = tokenSchema.parse(JSON.parse(/^\{.*/ms.exec(printed)?.[0] ?? ''));
  } catch {
    throw new Error('npx wrangler auth token printed no token as JSON.');
  }
  if ('token' in auth) {
    wrangler.hide([auth.token]);
    return { Authorization: `Bearer ${auth.token}` };
  }
  wrangler.hide([auth.key]);
  return { 'X-Auth-Key': auth.key, 'X-Auth-Email': auth.email };
}

/** The address of the API of the platform. */
const apiUrl = () => process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4';

/** How often a call waits for the rate limit of the API: 1,200 calls in five minutes. */
const maxWaits = 60;

/** Calls that are under way at once. */
const callsAtOnce = 10;

const missingRight = '\nThe token may lack a right: src/deploy/README.md lists them.';

/** An answer of the API that is no success. Its message can be shown to the operator. */
export class PlatformError extends Error {
  /** Undefined if there was no answer. */
  readonly status: number | undefined;

  constructor(call: string, status: number | undefined, text: string) {
    const hint = status === 401 || status === 403 ? missingRight : '';
    super(`${call}\n${status === undefined ? '' : `Status ${status}: `}${text}${hint}`);
    this.status = status;
  }
}

interface ApiCall {
  method?: string;
  /** Below the account; with `isRoot` below the API. */
  path: string;
  isRoot?: boolean;
  body?: object;
  headers?: Record<string, string>;
}

const envelope = z.object({
  result: z.unknown(),
  result_info: z.object({ total_count: z.number().optional() }).nullish(),
});

/** The API of the platform, with the credentials of wrangler. */
export class CloudflareApi {
  readonly #wrangler: Wrangler;
  readonly #print: (line: string) => void;
  readonly #fetch: typeof fetch;
  #credentials: Promise<Record<string, string>> | undefined;

  constructor(wrangler: Wrangler, print: (line: string) => void, fetcher: typeof fetch) {
    this.#wrangler = wrangler;
    this.#print = print;
    this.#fetch = fetcher;
  }

  /**
   * Returns `result` of the response. Throws an {@link PlatformError}. Waits while the API refuses
   * more calls.
   */
  async call(call: ApiCall): Promise<unknown> {
    return (await this.#send(call)).result;
  }

  /**
   * Returns all records of a list. Not every list has pages, their size or a total: one ends with
   * the total, or with a page that has nothing new.
   */
  async list<T>(path: string, schema: z.ZodType<T>, { isRoot = false } = {}): Promise<T[]> {
    const found = new Map<string, T>();
    for (let page = 1; ; page += 1) {
      const { result, result_info: info } = await this.#send({
        path: `${path}?per_page=100&page=${page}`,
        isRoot,
      });
      const before = found.size;
      for (const record of z.array(schema).parse(result)) found.set(JSON.stringify(record), record);
      const isAll = found.size >= (info?.total_count ?? Infinity);
      if (isAll || found.size === before) return [...found.values()];
    }
  }

  async #send({ method = 'GET', path, isRoot = false, body, headers }: ApiCall) {
    const account = isRoot ? '' : `/accounts/${this.#wrangler.account}`;
    const url = `${apiUrl()}${account}${path}`;
    const sent = body && JSON.stringify(body);
    const line = [method, url, ...(sent ? [sent.slice(0, 160)] : [])].join(' ');
    this.#print(`  ${line}`);
    const credentials = await (this.#credentials ??= readCredentials(this.#wrangler));
    for (let waits = 0; ; waits += 1) {
      const response = await this.#fetch(url, {
        method,
        headers: {
          ...headers,
          ...credentials,
          ...(sent && { 'Content-Type': 'application/json' }),
        },
        ...(sent && { body: sent }),
        signal: AbortSignal.timeout(60_000),
      }).catch((cause: unknown) => {
        throw new PlatformError(line, undefined, this.#wrangler.redact(String(cause)));
      });
      const text = await response.text();
      if (response.ok) return envelope.parse(JSON.parse(text));
      if (response.status !== 429 || waits === maxWaits) {
        throw new PlatformError(line, response.status, this.#wrangler.redact(text).slice(0, 1000));
      }
      await sleep(1000 * Number(response.headers.get('Retry-After') ?? 10));
    }
  }
}

/**
 * Works on all items, ten at a time. Rejects with the first error, after what was under way has
 * ended.
 */
export async function workInTens<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const queue = [...items];
  const errors: unknown[] = [];
  const next = async () => {
    for (let item; errors.length === 0 && (item = queue.shift()) !== undefined;) {
      await work(item).catch((error: unknown) => void errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, next));
  if (errors.length > 0) throw errors[0];
}
