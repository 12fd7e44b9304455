import { settingsOf } from '../../base/settings.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { touchAgent } from '../../data/directory/agents.ts';
import { isAgent } from '../../data/directory/apps.ts';
import { readTarget } from '../authorization-request.ts';
import { authenticateClient } from '../client.ts';
import { readTokenForm, oauthErrorResponse, oauthResponse } from '../endpoint-form.ts';
import { OAuthError } from '../oauth-errors.ts';
import { grantTypes, resolveIssuer } from '../server-metadata.ts';
import type { TokenRequest } from './grant-steps.ts';
import { redeemCode } from './redeem-code.ts';
import { refreshTokens } from './refresh-tokens.ts';

/**
 * The flow of each grant type. A row of the table of doors says what it asks of the member
 * (`src/http/access`).
 */
const flows: Readonly<Record<(typeof grantTypes)[number], typeof redeemCode>> = {
  authorization_code: redeemCode,
  refresh_token: refreshTokens,
};

/**
 * Handles `POST /oauth/token` (specification, "Authentication", steps 3 and 5). Checks the form,
 * the grant type and the client, in this order, then runs the flow of the grant type.
 */
export async function handleTokenRequest(
  env: Env,
  request: Request,
  now: number,
  defer: TokenRequest['defer'],
): Promise<Response> {
  try {
    const form = await readTokenForm(request);
    const grantType = form.get('grant_type');
    if (grantType === undefined) throw new OAuthError('grant_type_missing');
    const known = grantTypes.find((one) => one === grantType);
    if (!known) throw new OAuthError('grant_type_unsupported');
    const app = await authenticateClient(env, request, form, now);
    const settings = settingsOf(env);
    const target = readTarget(form.get('resource'), resolveIssuer(settings, request.url));
    if ('invalid' in target) throw new OAuthError('target_invalid');
    const { resource } = target;
    const response = await flows[known]({ env, settings, form, app, resource, now, defer });
    if (isAgent(app)) defer(touchAgent(openDatabase(env.DIRECTORY), app, now));
    return oauthResponse(response);
  } catch (failure) {
    return oauthErrorResponse(failure, resolveIssuer(settingsOf(env), request.url));
  }
}
