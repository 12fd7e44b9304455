import { ApiError } from './api-error.ts';
import { checkHeader, type Credentials } from './credentials.ts';
import type { OAuth, OAuthTokens, StoredTokens, Tokens, TokenStore } from './public.ts';
import type { Sender } from './sender.ts';

/** Tokens are refreshed this long before they expire, so that a request arrives in time. */
const leewayMs = 30_000;

/** The answer of the token endpoint. */
export interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}

/** Returns the tokens of an answer to a request that was sent at `asked`. */
export const tokensOf = (answer: TokenAnswer, asked: number): Tokens => ({
  access_token: answer.access_token,
  refresh_token: answer.refresh_token,
  expires_at: asked + answer.expires_in * 1_000,
});

/** The store of one client, which tells `onTokens` about changes. */
function ownStore({ tokens, onTokens }: OAuthTokens): TokenStore {
  let current = tokens;
  return {
    get: () => Promise.resolve(current),
    async compareAndSet(_store, _expected, next) {
      if (!next) return false;
      await onTokens?.({ ...next });
      current = next;
      return true;
    },
  };
}

/** Thrown between two attempts of a refresh when another process has stored other tokens. */
const overtaken = new Error('Other tokens were stored meanwhile.');

/**
 * Credentials of an app. Of any number of concurrent calls one refreshes; the others wait for it. A
 * refresh whose answer is lost is repeated with the same refresh token, which the service answers
 * with the same tokens.
 *
 * Processes that share a store need no lock. All of them send the stored refresh token and get the
 * same successor. The first one stores it; nobody uses a successor that is not stored. So a process
 * may die at any point: the next one sends the stored token again.
 */
export class OAuthCredentials implements Credentials {
  readonly #clientId: string;
  readonly #storeName: string;
  readonly #tokenStore: TokenStore;
  readonly #sender: Sender;
  /** The tokens in use; `undefined` until they are read. */
  #tokens: StoredTokens | undefined;
  /**
   * Tokens that the store has not confirmed, and those that they replace. They are not used before.
   */
  #unsaved: { expected: StoredTokens; next: Tokens } | undefined;
  #renewal: Promise<void> | undefined;
  /** The final refusal of a refresh token. It is not sent again. */
  #ended: { refreshToken: string; error: ApiError } | undefined;

  constructor(oauth: OAuth, storeName: string, sender: Sender) {
    this.#clientId = checkHeader('X-Partner-Client-ID', oauth.clientId, 'oauth.clientId');
    if (!oauth.tokenStore) {
      checkHeader('Authorization', oauth.tokens?.access_token, 'oauth.tokens.access_token');
      this.#tokens = oauth.tokens;
    }
    this.#tokenStore = oauth.tokenStore ?? ownStore(oauth);
    this.#storeName = storeName;
    this.#sender = sender;
  }

  async headers(): Promise<Record<string, string>> {
    if (this.#unsaved || !this.#tokens || isExpiring(this.#tokens)) {
      try {
        await this.#renewOnce();
      } catch (error) {
        // A service that cannot refresh now may still accept the token that has not expired.
        const isFinal = !(error instanceof ApiError) || error.code === 'not_connected';
        if (isFinal || this.#ended || !this.#tokens || isExpiring(this.#tokens, 0)) throw error;
      }
    }
    return {
      Authorization: `Bearer ${this.#tokens!.access_token}`,
      'X-Partner-Client-ID': this.#clientId,
    };
  }

  async renew(refused: Readonly<Record<string, string>>): Promise<void> {
    // Another call may have refreshed since the refused request was sent.
    if (refused.Authorization === `Bearer ${this.#tokens?.access_token}`) await this.#renewOnce();
  }

  #renewOnce(): Promise<void> {
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(): Promise<void> {
    if (!this.#unsaved) {
      const stored = await this.#read();
      const isNews = this.#adopt(stored);
      if (isNews && !isExpiring(stored)) return;
      const next = await this.#requestSuccessor(stored);
      if (!next) return;
      this.#unsaved = { expected: stored, next };
    }
    const { expected, next } = this.#unsaved;
    const isStored = await this.#tokenStore.compareAndSet(this.#storeName, expected, next);
    this.#unsaved = undefined;
    // Otherwise another process was first: its tokens are the same successor, or those of a new
    // connection.
    if (isStored) this.#tokens = next;
    else this.#adopt(await this.#read());
  }

  async #read(): Promise<StoredTokens> {
    const stored = await this.#tokenStore.get(this.#storeName);
    if (stored) return stored;
    this.#tokens = undefined;
    throw new ApiError('not_connected', {
      hint: `There are no tokens of the store ${this.#storeName}. Ask the merchant to connect it.`,
    });
  }

  /** Takes tokens of the store, and returns whether they are others than those in use. */
  #adopt(stored: StoredTokens): boolean {
    const isNews = stored.access_token !== this.#tokens?.access_token;
    checkHeader('Authorization', stored.access_token, 'access_token');
    this.#tokens = stored;
    return isNews;
  }

  /**
   * Returns the successor of stored tokens, or nothing if another process has replaced them
   * meanwhile.
   */
  async #requestSuccessor(stored: StoredTokens): Promise<Tokens | undefined> {
    const { refresh_token } = stored;
    if (this.#ended?.refreshToken === refresh_token) throw this.#ended.error;
    this.#ended = undefined;
    let asked = 0;
    const fields = async () => {
      // A repetition may come late. Then a token whose successor is in use would end the
      // connection.
      if (asked !== 0 && (await this.#read()).refresh_token !== refresh_token) throw overtaken;
      asked ||= Date.now();
      return { grant_type: 'refresh_token', client_id: this.#clientId, refresh_token };
    };
    try {
      const request = { path: '/oauth/token', fields, isRepeatable: true };
      return tokensOf(await this.#sender.postForm<TokenAnswer>(request), asked);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 429;
      if (error !== overtaken && !isRefused) throw error;
      const current = await this.#read();
      if (current.refresh_token !== refresh_token) {
        this.#adopt(current);
        return undefined;
      }
      if (isRefused) this.#ended = { refreshToken: refresh_token, error };
      throw error;
    }
  }
}

/** Whether an access token expires within `leeway`. */
const isExpiring = ({ expires_at }: StoredTokens, leeway = leewayMs) =>
  Date.now() > toMillis(expires_at) - leeway;

/** Returns epoch milliseconds. Smaller numbers than those of the year 1973 are seconds. */
function toMillis(value: StoredTokens['expires_at']): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value === 'number') return value < 100_000_000_000 ? value * 1_000 : value;
  return new Date(value).getTime();
}
