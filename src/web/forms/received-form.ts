import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { deriveKey } from '../../base/crypto/keys.ts';
import { seal, unseal } from '../../base/crypto/seal.ts';
import { minuteMs } from '../../base/durations.ts';
import { ForeignFormError, HttpError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { holdForm } from '../../http/hono-adapter.ts';
import { bodyReader } from '../../http/read-request.ts';
import type { BrowserIdentity } from '../sign-in/browser-session.ts';

/** The hidden field of a form that carries its token. */
export const formTokenField = 'form_token';

/**
 * The reason why a form token is rejected: absent, not sealed by this service, sealed for another
 * browser, or expired.
 */
export type FormTokenError = 'missing' | 'forged' | 'foreign' | 'expired';

type Keys = Pick<Settings, 'tokenKeys'>;

type Owner = Pick<BrowserIdentity, 'idHash'>;

interface SealedContent<T> {
  /** Digest of the cookie of the browser that the form was created for. */
  browser: string;
  expiresAt: number;
  data: T;
}

/**
 * The token of one kind of form. It proves that this service created the form, for this browser and
 * purpose, and carries data that must not change on the way (`T`, JSON). It is sealed, not stored:
 * an abandoned form needs no cleanup.
 */
export class FormToken<T> {
  readonly #context: string;

  /** `purpose` separates kinds of forms: a token of one purpose does not open for another. */
  constructor(purpose: string) {
    this.#context = `form-token:${purpose}`;
  }

  /** Seals a token that expires at `expiresAt` (epoch milliseconds). */
  async seal({ tokenKeys }: Keys, owner: Owner, data: T, expiresAt: number): Promise<string> {
    const content: SealedContent<T> = { browser: owner.idHash, expiresAt, data };
    return seal(await formTokenKey(tokenKeys.current), JSON.stringify(content), this.#context);
  }

  /** Opens a token. An expired one, and one of another browser, still yield their data. */
  async open(
    { tokenKeys: { current, previous } }: Keys,
    owner: Owner,
    sealed: string | null,
    now: number,
  ): Promise<{ data: T } | { error: FormTokenError; data?: T }> {
    if (!sealed) return { error: 'missing' };
    const text =
      (await this.#unseal(current, sealed)) ??
      (previous === undefined ? undefined : await this.#unseal(previous, sealed));
    if (text === undefined) return { error: 'forged' };
    // A text that opens was sealed by `seal` for this purpose.
    const { browser, expiresAt, data } = JSON.parse(text) as SealedContent<T>;
    if (browser !== owner.idHash) return { error: 'foreign', data };
    return expiresAt > now ? { data } : { error: 'expired', data };
  }

  async #unseal(root: string, sealed: string): Promise<string | undefined> {
    try {
      return await unseal(await formTokenKey(root), sealed, this.#context);
    } catch {
      return undefined;
    }
  }
}

const formTokenKey = (root: string) => deriveKey(root, 'form-token/v1', 'seal');

/** In bytes. A form token may hold an authorization request of 8 KiB. */
const maxPageFormBytes = 32_768;

/**
 * How many fields a form may have; the largest page has some hundreds. An empty one in parts costs
 * as much as 10 KB of text.
 */
const maxFields = 1_000;

/** A form that was sent, whose body is read in steps. */
export type ReceivedForm = ReturnType<typeof receiveForm>;

/**
 * Receives a form that a page of this service sent, and reads nothing of it yet. Throws a 403 for a
 * form of another or unknown origin, and a 415 for another media type than the page uses.
 */
export function receiveForm(c: Context<AppEnv>, maxFileBytes?: number) {
  if (!isSameOrigin(c.req.raw)) throw new ForeignFormError();
  const body = formBody(c, {
    maxBytes: maxPageFormBytes,
    ...(maxFileBytes !== undefined && { maxPartsBytes: maxPageFormBytes + maxFileBytes }),
  });
  return {
    /**
     * Opens the token, which stands in the first 32 KiB of the form. Throws a 413 for a form that
     * is as long as `maxBytes`. A browser without a cookie has no form of ours.
     */
    async open<T>(
      token: FormToken<T>,
      { settings, browser, now }: { settings: Keys; browser: BrowserIdentity; now: number },
      maxBytes?: number,
    ): ReturnType<FormToken<T>['open']> {
      if (browser.isNew) return { error: 'foreign' };
      return token.open(settings, browser, await body.readToken(maxBytes), now);
    },
    /** Reads the form without its files. Throws a 413 beyond 32 KiB and `maxFileBytes`. */
    async read(): Promise<URLSearchParams> {
      const parsed = await body.read();
      // The validator of the fields takes the form from here, as it would from a body of any
      // length.
      holdForm(c, parsed);
      const form = new URLSearchParams();
      for (const [name, value] of parsed) if (typeof value === 'string') form.append(name, value);
      return form;
    },
  };
}

/**
 * The body of a form, one in parts only where `maxPartsBytes` says how long it may be. Throws a 415
 * for another media type. Its methods throw a 413 for a longer body or more fields, and a 400 for
 * what is no form.
 */
export function formBody(
  c: Context<AppEnv>,
  { maxBytes, maxPartsBytes }: { maxBytes: number; maxPartsBytes?: number },
) {
  const type = c.req.header('Content-Type') ?? '';
  const hasParts = maxPartsBytes !== undefined && isMediaType(type, 'multipart/form-data');
  if (!hasParts && !isMediaType(type, 'application/x-www-form-urlencoded'))
    throw new HttpError('unsupported_media_type');
  const [, quoted, plain = quoted] =
    /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? [];
  const separator = hasParts ? `--${plain}` : '&';
  const read = bodyReader(c.req.raw, hasParts ? maxPartsBytes : maxBytes);
  const readUntil = async (until: number) => {
    const bytes = await read(until);
    if (!bytes || hasMore(bytes, separator, maxFields)) throw new HttpError('body_too_large');
    return bytes;
  };
  return {
    /**
     * Reads so many bytes at most as a form without files may have, or fewer than `fewer`, and
     * finds the token there.
     */
    async readToken(fewer?: number): Promise<string | null> {
      const bytes = await readUntil(fewer ?? maxBytes);
      if (fewer !== undefined && bytes.length >= fewer) throw new HttpError('body_too_large');
      const start = new TextDecoder('latin1').decode(bytes);
      return hasParts
        ? (tokenPart.exec(start)?.[1] ?? null)
        : new URLSearchParams(start).get(formTokenField);
    },
    async read(): Promise<FormData> {
      const bytes = await readUntil(Infinity);
      // The boundary that was counted.
      const headers = {
        'Content-Type': hasParts ? `multipart/form-data; boundary="${plain}"` : type,
      };
      return new Response(bytes, { headers }).formData().catch(() => {
        throw new HttpError('invalid_body', { status: 400 });
      });
    },
  };
}

const tokenPart = new RegExp(
  String.raw`;\s*name="?${formTokenField}"?\r\n(?:[^\r\n]+\r\n)*\r\n([\w.-]*)\r\n`,
  'i',
);

/** Whether a text stands in some bytes more often than `max` times. */
function hasMore(bytes: Uint8Array, text: string, max: number): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = buffer.indexOf(text); at !== -1; at = buffer.indexOf(text, at + 1)) {
    count += 1;
    if (count > max) return true;
  }
  return false;
}

const isMediaType = (contentType: string, mediaType: string) =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() === mediaType;

/**
 * Whether a browser states that a page of this origin sent the form. Pages of this service send no
 * referrer, so browsers send `Origin: null` (Fetch standard); then `Sec-Fetch-Site`, which no page
 * can set, decides. A request with neither header is rejected.
 */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('Sec-Fetch-Site');
  const origin = request.headers.get('Origin');
  if (site !== null && site !== 'same-origin') return false;
  if (origin === null || origin === 'null') return site !== null;
  return origin === new URL(request.url).origin;
}

/** A request of the browser for which a secret is kept. */
interface Visit {
  c: Context<AppEnv>;
  settings: Settings;
  browser: Owner;
  now: number;
}

/** How long a secret can still be shown, in milliseconds. */
const defaultLifetimeMs = minuteMs;

const cookieOptions = { prefix: 'host', secure: true, path: '/' } as const;

/**
 * A secret that the page after a form uses once, such as a new API key. It travels in a cookie that
 * is sealed for this browser and lives for a minute. The server stores nothing, and a reload of the
 * page neither creates another secret nor shows it again.
 */
export class ShownOnce<T> {
  readonly #cookieName: string;
  readonly #token: FormToken<T>;
  readonly #lifetimeMs: number;

  /** The cookie is `__Host-{cookieName}`; `purpose` separates kinds of secrets. */
  constructor(cookieName: string, purpose: string, lifetimeMs = defaultLifetimeMs) {
    this.#cookieName = cookieName;
    this.#token = new FormToken(purpose);
    this.#lifetimeMs = lifetimeMs;
  }

  /** Keeps the secret for the next page of this browser. */
  async stash({ c, settings, browser, now }: Visit, secret: T): Promise<void> {
    const sealed = await this.#token.seal(settings, browser, secret, now + this.#lifetimeMs);
    setCookie(c, this.#cookieName, sealed, {
      ...cookieOptions,
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: this.#lifetimeMs / 1000,
    });
  }

  /** Reads the secret and deletes the cookie. Returns `undefined` when there is none. */
  async take({ c, settings, browser, now }: Visit): Promise<T | undefined> {
    const sealed = getCookie(c, this.#cookieName, 'host');
    if (sealed === undefined) return undefined;
    deleteCookie(c, this.#cookieName, cookieOptions);
    const opened = await this.#token.open(settings, browser, sealed, now);
    return 'error' in opened ? undefined : opened.data;
  }
}
