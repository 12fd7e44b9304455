import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { randomBase64url } from '../../src/crypto/random.ts';
import { sha256 } from '../../src/crypto/sha256.ts';
import { app as service } from '../../src/app.ts';
import { openShard } from '../../src/db/open.ts';
import { passwords, sessions } from '../../src/db/schema/directory.ts';
import { nobodysHash } from '../../src/session/password.ts';
import { fieldsOf } from './fields-of.ts';

export const origin = 'https://api.test';

/** A page or redirect as a browser gets it. */
export interface Page {
  status: number;
  headers: Headers;
  /** Where it redirects to. */
  location: string | null;
  html: string;
  /** The text that people see. */
  text: string;
}

/** What a form sends; several values for boxes that are ticked. */
export type Fields = Record<string, string | string[]>;

/** Keeps cookies, follows nothing, runs no script. `bindings` replaces some of the Worker's. */
export class Browser {
  readonly cookies = new Map<string, string>();
  bindings: Partial<Env> = {};

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.send('GET', path, { headers });
  }

  /** Sends a form as a page of the service would; `headers` says where it is sent from. */
  post(
    path: string,
    fields: Fields,
    headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
  ): Promise<Page> {
    const pairs = Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    );
    return this.send('POST', path, { headers, body: new URLSearchParams(pairs) });
  }

  /** Asks for a page and sends the form on it that goes to the same path. */
  async submit(path: string, fields: Fields = {}): Promise<Page> {
    return this.post(path, { ...fieldsOf(await this.get(path), path), ...fields });
  }

  async send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: BodyInit } = {},
  ): Promise<Page> {
    const request = new Request(`${origin}${path}`, {
      method,
      headers: { ...headers, Cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') },
      ...(body !== undefined && { body }),
    });
    const context = createExecutionContext();
    const response = await service.fetch(request, { ...env, ...this.bindings }, context);
    const html = await response.text();
    await waitOnExecutionContext(context);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    const { status, headers: answered } = response;
    return {
      status,
      headers: answered,
      location: answered.get('Location'),
      html,
      text: textOf(html),
    };
  }

  /** Signs a user in without the page, which costs a quarter of a second; `at` is when. */
  async signedIn(userId: number, at = Date.now()): Promise<this> {
    const id = randomBase64url(32);
    const directory = openShard(env.DIRECTORY);
    await directory.batch([
      directory
        .insert(passwords)
        .values({ user_id: userId, hash: nobodysHash, changed_at: 0 })
        .onConflictDoNothing(),
      directory.insert(sessions).values({
        id_hash: await sha256(id),
        user_id: userId,
        created_at: at,
        seen_at: at,
        expires_at: at + 3_600_000,
      }),
    ]);
    this.cookies.set('__Host-session', id);
    return this;
  }
}

const textOf = (html: string) =>
  html
    .replace(/<title>.*?<\/title>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,?)])/g, '$1')
    .replace(/\( /g, '(')
    .trim();
