import { fieldsOf } from '../fields-of.ts';

/** What a merchant's browser is told to do; those who sign in are the people of the demo. */
export interface Decision {
  decision?: 'approve' | 'deny';
  email?: string;
  password?: string;
}

/** A browser without scripts over HTTP: keeps cookies, follows nothing. */
export class Merchant {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Asks for a page, or sends a form as our pages do. */
  async send(path: string, form?: Record<string, string>) {
    const response = await fetch(new URL(path, this.#origin), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        Cookie: [...this.cookies].map((pair) => pair.join('=')).join('; '),
        ...(form && { Origin: this.#origin }),
      },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return {
      status: response.status,
      location: response.headers.get('Location') ?? '',
      html: await response.text(),
    };
  }

  /** Signs in on the page that answers a path; answers where that leads. */
  async signIn(path: string, email = 'ana@demo.test', password = 'demo-password-ana') {
    const page = await this.send(path);
    const { status, location } = await this.send('/session', {
      ...fieldsOf(page, '/session'),
      email,
      password,
    });
    if (status !== 303) throw new Error(`signing in answers ${status}`);
    return location;
  }

  /** Follows an app's link to the consent page and decides; answers where the browser is sent then. */
  async decide(link: string | URL, { decision = 'approve', email, password }: Decision = {}) {
    const path = String(link).slice(this.#origin.length);
    const page = await this.send(await this.signIn(path, email, password));
    const { status, location } = await this.send('/oauth/authorize', {
      ...fieldsOf(page, '/oauth/authorize'),
      decision,
    });
    if (status !== 303) throw new Error(`deciding answers ${status}`);
    return new URL(location);
  }
}
