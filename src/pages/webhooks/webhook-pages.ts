import { browserPaths, webhookPaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import type { UserPage } from '../../web/page.ts';
import { deliveryForm } from './delivery.tsx';
import { webhookCreateForm, webhookEditForm } from './edit-webhook.tsx';
import { showWebhooks } from './list-webhooks.tsx';
import { resumeForm, webhookRemovalForm } from './webhook-actions.tsx';
import { webhookForm } from './webhook-page.tsx';
import { rotationForm, showWebhookSecret } from './webhook-secret.tsx';

const [alias, id] = [':alias', ':id'];

/** The pages under `/account/webhooks`. */
export const accountWebhookPages: readonly UserPage[] = [
  { path: browserPaths.webhooks, show: showWebhooks },
  webhookCreateForm,
  rotationForm,
  { path: webhookPaths.secret(alias, id), role: Role.manager, show: showWebhookSecret },
  webhookForm,
  deliveryForm,
  webhookEditForm,
  webhookRemovalForm,
  resumeForm,
];
