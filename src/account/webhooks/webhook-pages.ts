import type { PersonalPage } from '../../session/mount-personal.ts';
import { paths } from '../../session/paths.ts';
import { confirmPause, pause } from './pause.tsx';
import { ping } from './ping.ts';
import { resend } from './resend.ts';
import { resume } from './resume.ts';
import { showDelivery } from './show-delivery.tsx';
import { showPing } from './show-ping.tsx';
import { showResume } from './show-resume.tsx';
import { showWebhook } from './show-webhook.tsx';
import { showWebhooks } from './show-webhooks.tsx';
import { sparingly } from './sparingly.ts';
import { webhookPaths } from './webhook-paths.ts';

const [alias, id] = [':alias', ':id'];

/** The pages about webhooks: the list, one with its log, one delivery, and what can be done. */
export const webhookPages: readonly PersonalPage[] = [
  { path: paths.webhooks, show: showWebhooks },
  { path: webhookPaths.one(alias, id), show: showWebhook },
  {
    path: webhookPaths.delivery(alias, id, ':seq'),
    show: showDelivery,
    take: sparingly(resend),
  },
  { path: webhookPaths.ping(alias, id), show: showPing, take: sparingly(ping) },
  { path: webhookPaths.pause(alias, id), show: confirmPause, take: sparingly(pause) },
  { path: webhookPaths.resume(alias, id), show: showResume, take: sparingly(resume) },
];
