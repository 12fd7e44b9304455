import { authLifetimes } from '../../base/auth-lifetimes.ts';
import type { Settings } from '../../base/settings.ts';
import type { App } from '../../data/directory/apps.ts';
import type { RotatedGrant } from '../../data/grants/rotate.ts';
import { enforceRateLimit } from '../../http/access/rate-limit.ts';
import type { RequestParameters } from '../read-token-form.ts';

/** A request to the token endpoint whose form was read and whose client is known. */
export interface TokenRequest {
  env: Env;
  settings: Settings;
  form: RequestParameters;
  app: App;
  /** The resource that the form names; `undefined` leaves the one of the grant. */
  resource: 'mcp' | undefined;
  now: number;
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
}

/** Limits the requests of one grant per minute; throws a 429. */
export const enforceGrantRateLimit = ({ env, settings, now }: TokenRequest, grantId: string) =>
  enforceRateLimit({ env, limits: settings.limits, now }, 'api', `token:${grantId}`);

/** How long a refresh token of an app lives unless it is used, in milliseconds. */
export const refreshLifetime = ({ host }: Pick<App, 'host'>) =>
  host === null ? authLifetimes.refreshToken : authLifetimes.agentRefreshToken;

/** Whether a request names another resource than that of its grant. */
export const isOtherResource = (
  grant: Pick<RotatedGrant, 'resource'>,
  resource: TokenRequest['resource'],
) => resource !== undefined && grant.resource !== resource;
