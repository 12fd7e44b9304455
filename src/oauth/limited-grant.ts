import { limited } from '../access/limits.ts';
import type { TokenRequest } from './token-request.ts';

/** Bounds what one grant may ask of the token endpoint; throws a 429. */
export const limitedGrant = ({ env, settings, now }: TokenRequest, grantId: string) =>
  limited(env.API_LIMIT, settings.limits.api, `token:${grantId}`, now);
