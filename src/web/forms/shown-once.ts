import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { minuteMs } from '../../base/durations.ts';
import type { SignedInPage } from '../page.ts';
import { FormToken } from './form-token.ts';

/** How long a secret can still be shown, in milliseconds. */
const defaultLifetimeMs = minuteMs;

const cookieOptions = { prefix: 'host', secure: true, path: '/' } as const;

/**
 * A secret that the page after a form uses once, such as a new API key. It travels in a cookie that is sealed for
 * this browser and lives for a minute. The server stores nothing, and a reload of the page neither creates another
 * secret nor shows it again.
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
  async stash({ c, settings, browser, now }: SignedInPage, secret: T): Promise<void> {
    const sealed = await this.#token.seal(settings, browser, secret, now + this.#lifetimeMs);
    setCookie(c, this.#cookieName, sealed, {
      ...cookieOptions,
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: this.#lifetimeMs / 1000,
    });
  }

  /** Reads the secret and deletes the cookie. Returns `undefined` when there is none. */
  async take({ c, settings, browser, now }: SignedInPage): Promise<T | undefined> {
    const sealed = getCookie(c, this.#cookieName, 'host');
    if (sealed === undefined) return undefined;
    deleteCookie(c, this.#cookieName, cookieOptions);
    const opened = await this.#token.openText(settings, browser, sealed, now);
    return 'error' in opened ? undefined : opened.data;
  }
}
