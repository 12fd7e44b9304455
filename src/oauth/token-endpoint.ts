import { settingsOf } from '../settings.ts';
import { answer, refuseToken } from './answer.ts';
import { clientOf } from './client-of.ts';
import { exchangeCode } from './exchange-code.ts';
import { readForm } from './form.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { TokenRefusal } from './token-refusal.ts';
import type { TokenRequest } from './token-request.ts';

const flows = new Map([
  ['authorization_code', exchangeCode],
  ['refresh_token', refreshTokens],
]);

/** POST /oauth/token (specification, "Authentication", steps 3 and 5): checks T2 to T7, then the flow. */
export async function tokenEndpoint(
  env: Env,
  request: Request,
  now: number,
  defer: TokenRequest['defer'],
): Promise<Response> {
  try {
    const form = await readForm(request);
    const grantType = form.get('grant_type');
    if (grantType === undefined) throw new TokenRefusal('grant_type is missing');
    const flow = flows.get(grantType);
    if (!flow) throw new TokenRefusal('grant_type is unknown');
    const app = await clientOf(env, request, form, now);
    const settings = settingsOf(env);
    return answer(await flow({ env, settings, form, app, now, defer }));
  } catch (failure) {
    return refuseToken(failure);
  }
}
