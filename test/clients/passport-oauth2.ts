import type { Request } from 'express';
import OAuth2Strategy from 'passport-oauth2';
import type { ClientTokens, StartAuthorization } from './client.ts';

/**
 * The outcome that passport reports for one request; set up by hand, because there is no server.
 */
interface Outcome {
  redirect?: string;
  user?: ClientTokens;
}

export const passportOauth2: StartAuthorization = async ({
  origin,
  clientId,
  redirectUri,
  scopes,
}) => {
  const strategy = new OAuth2Strategy(
    {
      authorizationURL: `${origin}/oauth/authorize`,
      tokenURL: `${origin}/oauth/token`,
      clientID: clientId,
      clientSecret: '',
      callbackURL: redirectUri,
      scope: scopes,
      scopeSeparator: ' ',
      state: true,
      pkce: true,
    },
    (
      accessToken: string,
      refreshToken: string,
      _profile: unknown,
      done: OAuth2Strategy.VerifyCallback,
    ) => done(null, { accessToken, refreshToken }),
  );
  strategy.userProfile = (_token, done) => done(null, {});
  const handle = (query: Record<string, string>, session: object) =>
    new Promise<Outcome>((resolve, reject) => {
      const once = Object.assign(Object.create(strategy) as OAuth2Strategy, {
        redirect: (redirect: string) => resolve({ redirect }),
        success: (user: ClientTokens) => resolve({ user }),
        error: reject,
        fail: (challenge: { message?: string }) => reject(new Error(challenge.message ?? 'failed')),
      });
      once.authenticate({ query, session } as unknown as Request, {});
    });
  const session = {};
  const { redirect = '' } = await handle({}, session);
  // The library deletes the verifier after the response, so a replay needs this copy.
  const savedSession = structuredClone(session);
  return {
    link: redirect,
    redeem: async ({ searchParams }) => {
      const { user } = await handle(
        Object.fromEntries(searchParams),
        structuredClone(savedSession),
      );
      if (!user) throw new Error('no user');
      return user;
    },
    refresh: (token) =>
      new Promise((resolve, reject) => {
        // A protected member, but the usual way to refresh with this library.
        const { _oauth2: client } = strategy as unknown as {
          _oauth2: {
            getOAuthAccessToken: (
              token: string,
              form: object,
              done: (error: Error | null, accessToken: string, refreshToken: string) => void,
            ) => void;
          };
        };
        client.getOAuthAccessToken(
          token,
          { grant_type: 'refresh_token' },
          (error, accessToken, refreshToken) =>
            error ? reject(error) : resolve({ accessToken, refreshToken }),
        );
      }),
    errorCode: (thrown) => {
      if (thrown instanceof OAuth2Strategy.TokenError) return thrown.code;
      // The error that the underlying library throws for a refresh.
      const { data } = thrown as { data?: string };
      if (data !== undefined) return (JSON.parse(data) as { error: string }).error;
      // For a denial the library reports only the description.
      return thrown instanceof Error && /denied/.test(thrown.message) ? 'access_denied' : undefined;
    },
  };
};
