import { ApiError } from './api-error.ts';
import { checkHeader } from './credentials.ts';
import { type TokenAnswer, tokensOf } from './oauth.ts';
import type {
  ConnectedStore,
  KeptAuthorization,
  LocalErrorCode,
  OAuthAppConfig,
  StoredTokens,
  Tokens,
} from './public.ts';
import { Sender } from './sender.ts';

/** The answer of the token endpoint to a code. */
interface GrantAnswer extends TokenAnswer {
  token_type: string;
  scope: string;
  merchant: string;
}

/** How often a change of the stored tokens is tried while other processes change them. */
const storeAttempts = 5;

/** An app at the authorization server: connects stores, and ends connections. */
export class AppAuthorization {
  readonly #config: OAuthAppConfig;
  readonly #sender: Sender;
  readonly #issuer: string;

  constructor(config: OAuthAppConfig, defaultUrl: string) {
    this.#config = config;
    checkHeader('X-Partner-Client-ID', config.clientId, 'clientId');
    if (!config.redirectUri || !config.tokenStore) {
      throw new TypeError('oauthApp needs redirectUri and tokenStore.');
    }
    this.#sender = new Sender(config, defaultUrl);
    this.#issuer = config.issuer ?? this.#sender.origin;
  }

  /**
   * Returns the address for the merchant's browser, with PKCE (RFC 7636), and what must be kept
   * until they come back.
   */
  async authorizeUrl({ scopes }: { scopes?: readonly string[] } = {}): Promise<{
    url: string;
    kept: KeptAuthorization;
  }> {
    const { clientId, redirectUri } = this.#config;
    const [state, verifier] = [randomText(), randomText()];
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: base64url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
      ...(scopes && { scope: scopes.join(' ') }),
    });
    const url = `${this.#sender.origin}/oauth/authorize?${query.toString()}`;
    return { url, kept: { state, verifier, redirectUri } };
  }

  /**
   * Exchanges the code that the merchant brings back, and stores the tokens. An older connection to
   * the store is ended.
   */
  async exchange(
    callbackUrl: string | URL,
    kept: KeptAuthorization | undefined,
  ): Promise<ConnectedStore> {
    const code = this.#readCallback(callbackUrl, kept);
    const { clientId } = this.#config;
    const asked = Date.now();
    // The second use of a code ends the connection, so a lost answer means to start again.
    const answer = await this.#sender.postForm<Partial<GrantAnswer>>({
      path: '/oauth/token',
      fields: () =>
        Promise.resolve({
          grant_type: 'authorization_code',
          client_id: clientId,
          redirect_uri: kept!.redirectUri,
          code,
          code_verifier: kept!.verifier,
        }),
      isRepeatable: false,
    });
    if (!isGrant(answer)) {
      throw new ApiError('unexpected_answer', { hint: 'The answer has no tokens: check baseUrl.' });
    }
    const tokens = tokensOf(answer, asked);
    const older = await this.#replace(answer.merchant, tokens);
    // The new connection is stored; one that cannot be ended now only counts among the ten that a
    // store may have.
    if (older) await this.#revoke(older).catch(() => undefined);
    return { store: answer.merchant, scopes: answer.scope.split(' ').filter(Boolean), tokens };
  }

  /** Ends the connection to a store, and deletes its tokens. May be repeated. */
  async uninstall(store: string): Promise<void> {
    for (let attempt = 1; attempt <= storeAttempts; attempt++) {
      const tokens = await this.#config.tokenStore.get(store);
      if (!tokens) return;
      // First at the service: if the process dies between, the tokens still say what is to be
      // ended.
      await this.#revoke(tokens);
      if (await this.#config.tokenStore.compareAndSet(store, tokens, undefined)) return;
    }
    throw busyStore(store);
  }

  /** Checks what came back, before anything is sent. Returns the code. */
  #readCallback(callbackUrl: string | URL, kept: KeptAuthorization | undefined): string {
    const { searchParams } = new URL(callbackUrl, this.#config.redirectUri);
    const names = ['state', 'iss', 'error', 'error_description', 'code'];
    const [state, issuer, error, description, code] = names.map((name) => {
      const [value, ...others] = searchParams.getAll(name);
      if (others.length > 0) throw new ApiError('invalid_callback', { hint: `${name} is twice.` });
      return value;
    });
    if (!kept?.state || state !== kept.state) {
      const hint = 'The answer is not that of this browser’s authorization. Start again.';
      throw new ApiError('state_mismatch', { hint });
    }
    if (issuer !== undefined && issuer !== this.#issuer) {
      const hint = 'The answer comes from another authorization server. Check issuer and baseUrl.';
      throw new ApiError('issuer_mismatch', { hint });
    }
    if (error !== undefined) {
      const hint = description ?? 'The authorization server refused.';
      // Codes of RFC 6749; new ones may follow.
      throw new ApiError(error as LocalErrorCode, { hint });
    }
    if (!code) throw new ApiError('invalid_callback', { hint: 'The address has no code.' });
    return code;
  }

  /** Stores tokens, and returns those that they replace. */
  async #replace(store: string, tokens: Tokens): Promise<StoredTokens | undefined> {
    for (let attempt = 1; attempt <= storeAttempts; attempt++) {
      const older = await this.#config.tokenStore.get(store);
      if (await this.#config.tokenStore.compareAndSet(store, older, tokens)) return older;
    }
    throw busyStore(store);
  }

  async #revoke({ refresh_token }: StoredTokens): Promise<void> {
    const form = { client_id: this.#config.clientId, token: refresh_token };
    const fields = () => Promise.resolve(form);
    await this.#sender.postForm({ path: '/oauth/revoke', fields, isRepeatable: true });
  }
}

const busyStore = (store: string) =>
  new Error(`compareAndSet refused ${storeAttempts} times for ${store}. Check the token store.`);

const isGrant = (answer: Partial<GrantAnswer>): answer is GrantAnswer =>
  answer.token_type?.toLowerCase() === 'bearer' &&
  typeof answer.access_token === 'string' &&
  typeof answer.refresh_token === 'string' &&
  typeof answer.expires_in === 'number' &&
  typeof answer.scope === 'string' &&
  /^[\w-]+$/.test(answer.merchant ?? '');

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** 256 random bits as 43 characters, as a state and a verifier need them. */
const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
