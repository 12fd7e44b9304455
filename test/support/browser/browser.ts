import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { dummyPasswordHash } from '../../../src/accounts/sign-in/password.ts';
import { createApp } from '../../../src/app/app.ts';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { randomBase64url } from '../../../src/base/crypto/random.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { passwords, sessions } from '../../../src/data/schema/directory/credentials-tables.ts';
import { FormToken } from '../../../src/web/forms/received-form.ts';
import { hiddenFieldsOf } from './form-fields.ts';

const service = createApp();

const origin = 'https://api.test';

/** A page or redirect as a browser receives it. */
export interface BrowserPage {
  status: number;
  headers: Headers;
  /** The target of a redirect. */
  location: string | null;
  html: string;
  /** The visible text. */
  text: string;
}

/** Values of a form; an array for ticked checkboxes. */
export type FormValues = Record<string, string | string[]>;

/**
 * A browser that keeps cookies, follows no redirects and runs no scripts. `bindings` replaces
 * bindings of the Worker.
 */
export class Browser {
  readonly cookies = new Map<string, string>();
  bindings: Partial<Env> = {};

  get(path: string, headers: Record<string, string> = {}): Promise<BrowserPage> {
    return this.send('GET', path, { headers });
  }

  /** Sends a form as a page of the service does; `headers` names its origin. */
  post(
    path: string,
    fields: FormValues,
    headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
  ): Promise<BrowserPage> {
    const pairs = Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    );
    return this.send('POST', path, { headers, body: new URLSearchParams(pairs) });
  }

  /** Loads a page and submits the form on it whose action is the same path. */
  async submit(path: string, fields: FormValues = {}): Promise<BrowserPage> {
    return this.post(path, { ...hiddenFieldsOf(await this.get(path), path), ...fields });
  }

  /**
   * Loads a page and sends the form on it whose action is the same path, with a file as the field
   * `file`.
   */
  async upload(
    path: string,
    file: File,
    values: Record<string, string> = {},
  ): Promise<BrowserPage> {
    const body = new FormData();
    const hidden = hiddenFieldsOf(await this.get(path), path);
    for (const [name, value] of Object.entries({ ...hidden, ...values })) {
      body.append(name, value);
    }
    body.append('file', file);
    const headers = { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' };
    return this.send('POST', path, { headers, body });
  }

  async send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: BodyInit } = {},
  ): Promise<BrowserPage> {
    const request = new Request(`${origin}${path}`, {
      method,
      headers: { ...headers, Cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') },
      ...(body !== undefined && { body }),
    });
    const context = createExecutionContext();
    const response = await service.fetch(request, { ...env, ...this.bindings }, context);
    // Hyphens that end no line look like all others.
    const html = (await response.text()).replaceAll('\u2011', '-');
    await waitOnExecutionContext(context);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('Location'),
      html,
      get text() {
        return textOf(html);
      },
    };
  }

  /**
   * Signs a user in without the sign-in page, whose password hash takes a quarter of a second; `at`
   * is the time. A user with a second factor has shown a code of it.
   */
  async signIn(userId: number, at = Date.now()): Promise<this> {
    const id = randomBase64url(32);
    const directory = openDatabase(env.DIRECTORY);
    await directory.batch([
      directory
        .insert(passwords)
        .values({ user_id: userId, hash: dummyPasswordHash, changed_at: 0 })
        .onConflictDoNothing(),
      directory.insert(sessions).values({
        id_hash: await sha256(id),
        user_id: userId,
        created_at: at,
        seen_at: at,
        proved_at: at,
        factor_at: sql<
          number | null
        >`(select case mfa_enabled when 1 then ${at} end from users where id = ${userId})`,
        expires_at: at + 3_600_000,
      }),
    ]);
    this.cookies.set('__Host-session', id);
    return this;
  }
}

/** A token that opens for the form of a path, as if our page had created it for this browser. */
export async function tokenFor({ cookies }: Browser, action: string): Promise<string> {
  const owner = { idHash: await sha256(cookies.get('__Host-session') ?? '') };
  const token = new FormToken<{ action: string }>('signed-in-form');
  return token.seal(settingsOf(env), owner, { action }, Date.now() + 60_000);
}

const textOf = (html: string) =>
  html
    .replace(/<title>.*?<\/title>/s, '')
    .replaceAll(/<wbr ?\/?>/g, '')
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
