export const redirectUri = 'http://127.0.0.1:51004/callback';
export const clientMetadata = { client_name: 'Editor', redirect_uris: [redirectUri] };

/**
 * How an assistant becomes known: by the id of its document, by one that its library chooses, or by
 * registration.
 */
export interface Identity {
  clientId?: string;
  documentUrl?: string;
  /** How it says that it authenticates itself. */
  method?: string;
}

/** The memory of a client, as its user writes it: the link to follow, and what it must keep. */
export class Keeper {
  readonly redirectUrl = redirectUri;
  readonly clientMetadata;
  readonly clientMetadataUrl?: string;
  link: URL | undefined;
  /** The client information that the library stored or was given. */
  client: { client_id: string } | undefined;
  #tokens: { access_token: string; token_type: string } | undefined;
  #verifier = '';

  constructor({ clientId, documentUrl, method = 'none' }: Identity) {
    this.clientMetadata = { ...clientMetadata, token_endpoint_auth_method: method };
    if (clientId !== undefined) this.client = { client_id: clientId };
    if (documentUrl !== undefined) this.clientMetadataUrl = documentUrl;
  }

  clientInformation = () => this.client;
  saveClientInformation = (client: { client_id: string }) => void (this.client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: { access_token: string; token_type: string }) =>
    void (this.#tokens = tokens);
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  redirectToAuthorization = (link: URL) => void (this.link = link);
}

/** A client of any kind, connected to the address of the tools. */
interface Session {
  connect: () => Promise<void>;
  finish: (callback: URL) => Promise<void>;
  /** The revision of the protocol that both speak. */
  revision: () => string | undefined;
  listTools: () => Promise<{ tools: { name: string }[] }>;
  call: (name: string, sent: Record<string, unknown>) => Promise<Record<string, unknown>>;
  close: () => Promise<void>;
}

/** Starts a client, which gets its credentials by OAuth or has them in its headers. */
export type StartSession = (
  url: URL,
  credentials: { authProvider?: Keeper; requestInit?: RequestInit },
  fetch: typeof globalThis.fetch,
) => Session;
