/** What a client knows of the service beforehand: where it is, and its own registration. */
export interface Service {
  origin: string;
  clientId: string;
  redirectUri: string;
  scopes: string[];
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** One authorization, from the link that the merchant follows to the replay of the code. */
export interface Authorization {
  link: string | URL;
  /** Takes the address that the merchant was sent back to; again for a replay. */
  redeem: (callback: URL) => Promise<Tokens>;
  refresh: (refreshToken: string) => Promise<Tokens>;
  /** The server's `error`, read from the error that this client throws for it; else undefined. */
  errorCode: (thrown: unknown) => string | undefined;
}

/** Begins an authorization with a client as it is published: discovers what it can, makes its link. */
export type Begin = (service: Service) => Promise<Authorization>;
