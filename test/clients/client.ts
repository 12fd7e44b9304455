/** Configuration of a client library: the service, and its own registration. */
export interface ServiceUnderTest {
  origin: string;
  clientId: string;
  redirectUri: string;
  scopes: string[];
}

export interface ClientTokens {
  accessToken: string;
  refreshToken: string;
}

/** One authorization, from the link that the merchant follows to the replay of the code. */
export interface Authorization {
  link: string | URL;
  /** Redeems the code of a callback URL; a second call is a replay. */
  redeem: (callback: URL) => Promise<ClientTokens>;
  refresh: (refreshToken: string) => Promise<ClientTokens>;
  /** Returns the server's `error` from an error that this library threw, else `undefined`. */
  errorCode: (thrown: unknown) => string | undefined;
}

/** Starts an authorization with an unmodified client library. */
export type StartAuthorization = (service: ServiceUnderTest) => Promise<Authorization>;
