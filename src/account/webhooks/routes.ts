import type { Context } from 'hono';
import { enforceRateLimit } from '../../access/rate-limit.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { browserPaths } from '../../session/paths.ts';
import type { PageContext, UserPage } from '../../session/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { webhookPaths } from '../paths.ts';
import { submitResend, showDelivery } from './delivery.tsx';
import { showWebhook } from './details.tsx';
import { showWebhooks } from './list.tsx';
import { showPause, submitPause } from './pause.tsx';
import { submitPing, showPing } from './ping.tsx';
import { submitResume, showResume } from './resume.tsx';

type SubmitHandler = (
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) => Response | Promise<Response>;

/** Limits how often a user submits these forms, since each may send a request to a receiver. Throws 429. */
const rateLimited =
  (onSubmit: SubmitHandler): SubmitHandler =>
  async (c, context, form) => {
    const { limits } = settingsOf(c.env);
    const { now, session } = context;
    await enforceRateLimit({ env: c.env, limits, now }, 'me', `webhooks:${session.user.id}`);
    return onSubmit(c, context, form);
  };

const [alias, id] = [':alias', ':id'];

/** The pages under `/account/webhooks`. */
export const accountWebhookPages: readonly UserPage[] = [
  { path: browserPaths.webhooks, show: showWebhooks },
  { path: webhookPaths.details(alias, id), show: showWebhook },
  {
    path: webhookPaths.delivery(alias, id, ':seq'),
    show: showDelivery,
    onSubmit: rateLimited(submitResend),
  },
  { path: webhookPaths.ping(alias, id), show: showPing, onSubmit: rateLimited(submitPing) },
  { path: webhookPaths.pause(alias, id), show: showPause, onSubmit: rateLimited(submitPause) },
  { path: webhookPaths.resume(alias, id), show: showResume, onSubmit: rateLimited(submitResume) },
];
