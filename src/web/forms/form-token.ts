import { deriveKey } from '../../base/crypto/keys.ts';
import { seal, unseal } from '../../base/crypto/seal.ts';
import type { Settings } from '../../base/settings.ts';
import type { BrowserIdentity } from '../sign-in/browser-session.ts';

/** The hidden field of a form that carries its token. */
const formTokenField = 'form_token';

/**
 * The reason why a form token is rejected: absent, not sealed by this service, sealed for another browser, or
 * expired.
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
 * The token of one kind of form. It proves that this service created the form, for this browser and purpose, and
 * carries data that must not change on the way (`T`, JSON). It is sealed, not stored: an abandoned form needs no
 * cleanup.
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

  /** Opens the token of a submitted form. An expired token of this browser still yields its data. */
  async open(
    keys: Keys,
    owner: Owner,
    form: URLSearchParams,
    now: number,
  ): Promise<{ data: T } | { error: FormTokenError; data?: T }> {
    return this.openText(keys, owner, form.get(formTokenField), now);
  }

  /** Opens a token that was kept outside a form. */
  async openText(
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
    if (browser !== owner.idHash) return { error: 'foreign' };
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
