import { env } from 'cloudflare:workers';

/** A key of 32 bytes that is not a local one. */
export const ownKey = btoa('x'.repeat(32));

/** A right deployed configuration, on the databases of the tests. */
export const deployed = {
  ...env,
  DEPLOYMENT: 'production',
  ALLOW_LOCAL_RECEIVERS: 'false',
  SEALING_KEY: ownKey,
  TOKEN_KEY: ownKey,
  AUTH_URL: 'https://api.test',
  // The type is read off the local configuration and names its values.
} as unknown as Env;
