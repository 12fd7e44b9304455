import { ApiError } from './api-error.ts';
import { checkHeader, type Credentials } from './credentials.ts';
import type { OAuth, StoredTokens, Tokens } from './public.ts';

/** Tokens are refreshed this long before they expire, so that a request arrives in time. */
const leewayMs = 30_000;

/** Exchanges a refresh token. The same token may be sent again: the service then returns the same successor. */
export type SendRefresh = (form: Record<string, string>) => Promise<RefreshResponse>;

/** The answer of the token endpoint. */
export interface RefreshResponse {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}

/**
 * Credentials of an app. Of any number of concurrent calls one refreshes; the others wait for it. A refresh whose answer is
 * lost is repeated with the same refresh token, which the service answers with the same tokens.
 */
export class OAuthCredentials implements Credentials {
  readonly #clientId: string;
  readonly #onTokens: OAuth['onTokens'];
  readonly #send: SendRefresh;
  #tokens: Tokens;
  /** Tokens that `onTokens` has not confirmed. They are not used before. */
  #unsaved: Tokens | undefined;
  #renewal: Promise<void> | undefined;
  /** The final refusal of the current refresh token. It is not sent again. */
  #ended: ApiError | undefined;

  constructor({ clientId, tokens, onTokens }: OAuth, send: SendRefresh) {
    this.#clientId = checkHeader('X-Partner-Client-ID', clientId, 'oauth.clientId');
    checkHeader('Authorization', tokens?.access_token, 'oauth.tokens.access_token');
    this.#tokens = { ...tokens, expires_at: toMillis(tokens.expires_at) };
    this.#onTokens = onTokens;
    this.#send = send;
  }

  async headers(): Promise<Record<string, string>> {
    if (this.#unsaved || Date.now() > this.#tokens.expires_at - leewayMs) {
      try {
        await this.#renewOnce();
      } catch (error) {
        // A service that cannot refresh now may still accept the token that has not expired.
        const isFinal = !(error instanceof ApiError) || this.#ended !== undefined;
        if (isFinal || Date.now() > this.#tokens.expires_at) throw error;
      }
    }
    return {
      Authorization: `Bearer ${this.#tokens.access_token}`,
      'X-Partner-Client-ID': this.#clientId,
    };
  }

  async renew(refused: Readonly<Record<string, string>>): Promise<void> {
    // Another call may have refreshed since the refused request was sent.
    if (refused.Authorization === `Bearer ${this.#tokens.access_token}`) await this.#renewOnce();
  }

  #renewOnce(): Promise<void> {
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(): Promise<void> {
    if (this.#ended) throw this.#ended;
    this.#unsaved ??= await this.#requestTokens();
    await this.#onTokens?.({ ...this.#unsaved });
    this.#tokens = this.#unsaved;
    this.#unsaved = undefined;
  }

  async #requestTokens(): Promise<Tokens> {
    const { refresh_token } = this.#tokens;
    const asked = Date.now();
    try {
      const answer = await this.#send({
        grant_type: 'refresh_token',
        client_id: this.#clientId,
        refresh_token,
      });
      return {
        access_token: answer.access_token,
        refresh_token: answer.refresh_token,
        expires_at: asked + answer.expires_in * 1_000,
      };
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 429)
        this.#ended = error;
      throw error;
    }
  }
}

/** Returns epoch milliseconds. Smaller numbers than those of the year 1973 are seconds. */
function toMillis(value: StoredTokens['expires_at']): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value === 'number') return value < 100_000_000_000 ? value * 1_000 : value;
  return new Date(value).getTime();
}
