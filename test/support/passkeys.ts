import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { passkeyHandle } from '../../src/accounts/sign-in/passkeys.ts';

/** What a page asks of an authenticator, from its `data-passkey`. */
export interface Asked {
  kind: 'create' | 'get';
  challenge: string;
  host: string;
}

const entities = { '&quot;': '"', '&#39;': "'", '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Reads what a page asks; `undefined` for a page without a passkey. */
export function askedBy({ html }: { html: string }): Asked | undefined {
  const [, text] = /data-passkey="([^"]+)"/.exec(html) ?? [];
  if (text === undefined) return undefined;
  const json = text.replaceAll(
    /&(?:quot|#39|amp|lt|gt);/g,
    (name) => entities[name as keyof typeof entities],
  );
  return JSON.parse(json) as Asked;
}

/** What an attacker or a device may get wrong. */
export interface Wrong {
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  host?: string;
  /** Instead of user present and verified. */
  flags?: number;
  count?: number;
  id?: string;
  userHandle?: string;
  /** Signs something else. */
  isForged?: boolean;
}

const origin = 'https://api.test';

/** An authenticator with one passkey, as a test needs it: it signs whatever it is told to. */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly #keys;
  /** Counts signatures; stays 0 for a passkey that is kept on several devices. */
  count = 0;
  readonly #counts: boolean;

  constructor({
    counts = false,
    algorithm = 'ec',
  }: { counts?: boolean; algorithm?: 'ec' | 'rsa' } = {}) {
    this.#counts = counts;
    this.#keys =
      algorithm === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  }

  get publicKey(): string {
    return this.#keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  }

  #data({ host }: Asked, wrong: Wrong, isNew: boolean): Buffer {
    if (this.#counts) this.count += 1;
    const rest = Buffer.alloc(5);
    rest[0] = wrong.flags ?? (isNew ? 0x45 : 0x05);
    rest.writeUInt32BE(wrong.count ?? this.count, 1);
    const id = Buffer.from(wrong.id ?? this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const credential = isNew ? [Buffer.alloc(16), length, id, Buffer.from([0xa0])] : [];
    const digest = createHash('sha256')
      .update(wrong.host ?? host)
      .digest();
    return Buffer.concat([digest, rest, ...credential]);
  }

  #client(type: string, { challenge }: Asked, wrong: Wrong): Buffer {
    const { crossOrigin = false, topOrigin } = wrong;
    return Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin,
        topOrigin,
      }),
    );
  }

  /** The answer of a new passkey. */
  create(asked: Asked, wrong: Wrong = {}): string {
    return JSON.stringify({
      id: this.id,
      clientDataJSON: this.#client('webauthn.create', asked, wrong).toString('base64url'),
      authenticatorData: this.#data(asked, wrong, true).toString('base64url'),
      publicKey: this.publicKey,
    });
  }

  /** The answer of a use. */
  async get(asked: Asked, userId: number, wrong: Wrong = {}): Promise<string> {
    const client = this.#client('webauthn.get', asked, wrong);
    const data = this.#data(asked, wrong, false);
    const digest = createHash('sha256').update(client).digest();
    const signed = Buffer.concat([data, wrong.isForged ? Buffer.alloc(32) : digest]);
    return JSON.stringify({
      id: wrong.id ?? this.id,
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      // An empty one is left out, as authenticators do that keep none.
      userHandle: (wrong.userHandle ?? (await passkeyHandle(userId))) || undefined,
    });
  }
}
