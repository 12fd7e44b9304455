import type { Settings } from '../../base/settings.ts';
import type { App } from '../../data/directory/apps.ts';
import { enforceRateLimit } from '../../http/access/rate-limit.ts';
import type { RequestParameters } from '../oauth-parameters.ts';

/** A request to the token endpoint whose form was read and whose client is known. */
export interface TokenRequest {
  env: Env;
  settings: Settings;
  form: RequestParameters;
  app: App;
  now: number;
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
}

/** Limits the requests of one grant per minute; throws a 429. */
export const enforceGrantRateLimit = ({ env, settings, now }: TokenRequest, grantId: string) =>
  enforceRateLimit({ env, limits: settings.limits, now }, 'api', `token:${grantId}`);
