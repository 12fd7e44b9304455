import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '../../http/app-env.ts';
import { settingsOf } from '../../settings.ts';
import type { PageContext } from '../pages/page-context.ts';
import { FormToken } from './form-token.ts';

/** How long a secret can still be shown, in milliseconds. */
const lifetimeMs = 60_000;

const cookieOptions = { prefix: 'host', secure: true, path: '/' } as const;

/**
 * A secret that the page after a form shows once. It travels in a cookie that is sealed for this browser and lives for a
 * minute: the server keeps nothing, and reloading the page neither makes another secret nor shows it again.
 */
export class ShownOnce<T> {
  readonly #cookieName: string;
  readonly #token: FormToken<T>;

  /** The cookie is `__Host-{cookieName}`; `purpose` separates kinds of secrets. */
  constructor(cookieName: string, purpose: string) {
    this.#cookieName = cookieName;
    this.#token = new FormToken(purpose);
  }

  /** Keeps the secret for the next page of this browser. */
  async stash(c: Context<AppEnv>, { browser, now }: PageContext, secret: T): Promise<void> {
    const sealed = await this.#token.seal(settingsOf(c.env), browser, secret, now + lifetimeMs);
    setCookie(c, this.#cookieName, sealed, {
      ...cookieOptions,
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: lifetimeMs / 1000,
    });
  }

  /** Reads the secret and deletes the cookie. Returns `undefined` when there is none. */
  async take(c: Context<AppEnv>, { browser, now }: PageContext): Promise<T | undefined> {
    const sealed = getCookie(c, this.#cookieName, 'host');
    if (sealed === undefined) return undefined;
    deleteCookie(c, this.#cookieName, cookieOptions);
    const opened = await this.#token.openText(settingsOf(c.env), browser, sealed, now);
    return 'error' in opened ? undefined : opened.data;
  }
}
