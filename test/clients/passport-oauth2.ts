import type { Request } from 'express';
import OAuth2Strategy from 'passport-oauth2';
import type { Begin, Tokens } from './client.ts';

/** What passport adds to a strategy for one request; here by hand, since there is no server. */
interface Outcome {
  redirect?: string;
  user?: Tokens;
}

export const passportOauth2: Begin = async ({ origin, clientId, redirectUri, scopes }) => {
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
        success: (user: Tokens) => resolve({ user }),
        error: reject,
        fail: (challenge: { message?: string }) => reject(new Error(challenge.message ?? 'failed')),
      });
      once.authenticate({ query, session } as unknown as Request, {});
    });
  const session = {};
  const { redirect = '' } = await handle({}, session);
  // It forgets the verifier with the answer, so a replay needs the session that was kept.
  const kept = structuredClone(session);
  return {
    link: redirect,
    redeem: async ({ searchParams }) => {
      const { user } = await handle(Object.fromEntries(searchParams), structuredClone(kept));
      if (!user) throw new Error('nobody');
      return user;
    },
    refresh: (token) =>
      new Promise((resolve, reject) => {
        // Protected, and what everybody who refreshes with this client uses.
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
      // What the library below it throws for a refresh.
      const { data } = thrown as { data?: string };
      if (data !== undefined) return (JSON.parse(data) as { error: string }).error;
      // Of a denial it tells the description alone.
      return thrown instanceof Error && /denied/.test(thrown.message) ? 'access_denied' : undefined;
    },
  };
};
