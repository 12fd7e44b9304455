import type { App } from '../db/apps.ts';
import { knownApp } from './known-app.ts';
import type { Parameters } from './parameters.ts';
import { TokenRefusal } from './token-refusal.ts';

/**
 * T7: the app that sends a form. Apps have no secret, so Basic credentials are refused; a client_secret, which
 * some libraries always send, does nothing.
 */
export async function clientOf(
  env: Env,
  request: Request,
  form: Parameters,
  now: number,
): Promise<App> {
  if (/^Basic\b/i.test(request.headers.get('Authorization') ?? '')) {
    const headers = { 'WWW-Authenticate': 'Basic realm="oauth"' };
    throw new TokenRefusal('client is wrong', { headers });
  }
  const app = await knownApp(env, form.get('client_id'), now);
  if (!app) throw new TokenRefusal('client is wrong');
  return app;
}
