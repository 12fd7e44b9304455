import { setTimeout } from 'node:timers/promises';
import { hiddenFieldsOf } from '../../browser/form-fields.ts';

/** The decision of a merchant; the account is one of the demo's. */
export interface ConsentDecision {
  decision?: 'approve' | 'deny';
  email?: string;
  password?: string;
  /** Answers to the questions of a page for an assistant. */
  access?: 'read' | 'write';
  area?: readonly string[];
}

/** The fields of a form; one with several values is repeated. */
const pairsOf = (form: Record<string, string | readonly string[]>): [string, string][] =>
  Object.entries(form).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );

/** A browser over HTTP that keeps cookies, follows no redirects and runs no scripts. */
export class MerchantBrowser {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Loads a page, or sends a form as the pages of the service do. */
  async send(path: string, form?: Record<string, string | readonly string[]>) {
    const response = await fetch(new URL(path, this.#origin), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        Cookie: [...this.cookies].map((pair) => pair.join('=')).join('; '),
        ...(form && { Origin: this.#origin }),
      },
      ...(form && { body: new URLSearchParams(pairsOf(form)) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return {
      status: response.status,
      location: response.headers.get('Location') ?? '',
      retryAfter: Number(response.headers.get('Retry-After')),
      html: await response.text(),
    };
  }

  /** Signs in on the page that a path shows; returns the redirect target. */
  async signIn(path: string, email = 'ana@demo.test', password = 'demo-password-ana') {
    const page = await this.send(path);
    const form = { ...hiddenFieldsOf(page, '/session'), email, password };
    let { status, location, retryAfter } = await this.send('/session', form);
    // An isolate hashes one password of a network at a time, and the page says when to try again.
    while (status === 503 && retryAfter > 0) {
      await setTimeout(retryAfter * 1000);
      ({ status, location, retryAfter } = await this.send('/session', form));
    }
    if (status !== 303) throw new Error(`the sign-in returned ${status}`);
    return location;
  }

  /**
   * Follows the link of an app to the consent page, signs in if asked, and decides; returns the
   * redirect target.
   */
  async decide(
    link: string | URL,
    { decision = 'approve', email, password, ...choices }: ConsentDecision = {},
  ) {
    const path = String(link).slice(this.#origin.length);
    let page = await this.send(path);
    if (page.html.includes('action="/session"')) {
      page = await this.send(await this.signIn(path, email, password));
    }
    const { status, location } = await this.send('/oauth/authorize', {
      ...hiddenFieldsOf(page, '/oauth/authorize'),
      decision,
      ...choices,
    });
    if (status !== 303) throw new Error(`the decision returned ${status}`);
    return new URL(location);
  }
}
