import type { Context } from 'hono';
import { enforceRateLimit } from '../../access/rate-limit.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import type { PageContext, UserPage } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { webhookPaths } from '../paths.ts';
import { showNewWebhook, submitNewWebhook } from './create.tsx';
import { showDeleteWebhook, submitDeleteWebhook } from './delete.tsx';
import { submitDelivery, showDelivery } from './delivery.tsx';
import { showWebhook } from './details.tsx';
import { showWebhookEdit, submitWebhookEdit } from './edit.tsx';
import { showWebhooks } from './list.tsx';
import { showPause, submitPause } from './pause.tsx';
import { submitPing, showPing } from './ping.tsx';
import { submitResume, showResume } from './resume.tsx';
import { showRotate, submitRotate } from './rotate.tsx';
import { showWebhookSecret } from './secret.tsx';

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

/** A page of which viewers see nothing, with a form that may send a request to a receiver. */
const managersPage = (path: string, show: UserPage['show'], onSubmit: SubmitHandler): UserPage => ({
  path,
  role: 'manager',
  show,
  onSubmit: rateLimited(onSubmit),
});

/** The pages under `/account/webhooks`. */
export const accountWebhookPages: readonly UserPage[] = [
  { path: browserPaths.webhooks, show: showWebhooks },
  // A new secret is shown after these.
  {
    ...managersPage(webhookPaths.create(alias), showNewWebhook, submitNewWebhook),
    needsProof: true,
  },
  {
    ...managersPage(webhookPaths.rotate(alias, id), showRotate, submitRotate),
    needsProof: true,
  },
  { path: webhookPaths.secret(alias, id), role: 'manager', show: showWebhookSecret },
  { path: webhookPaths.details(alias, id), role: 'viewer', show: showWebhook },
  {
    path: webhookPaths.delivery(alias, id, ':seq'),
    role: 'viewer',
    show: showDelivery,
    onSubmit: rateLimited(submitDelivery),
  },
  managersPage(webhookPaths.edit(alias, id), showWebhookEdit, submitWebhookEdit),
  managersPage(webhookPaths.delete(alias, id), showDeleteWebhook, submitDeleteWebhook),
  managersPage(webhookPaths.ping(alias, id), showPing, submitPing),
  managersPage(webhookPaths.pause(alias, id), showPause, submitPause),
  managersPage(webhookPaths.resume(alias, id), showResume, submitResume),
];
