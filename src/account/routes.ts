import type { Hono } from 'hono';
import type { AppEnv } from '../http/app-env.ts';
import { browserPaths } from '../session/pages/paths.ts';
import { mountUserPages, type UserPage } from '../session/pages/user-pages.ts';
import { submitApiKeyForm, showCreatedApiKey, showApiKeyForm } from './api-keys/create.tsx';
import { showApiKeys } from './api-keys/list.tsx';
import { showApiKeyRevocation, submitApiKeyRevocation } from './api-keys/revoke.tsx';
import { showDisconnect, submitDisconnect, showConnectedApps } from './connected-apps.tsx';
import { showNotifications, submitNotifications } from './notifications.tsx';
import { showAccountOverview } from './overview.tsx';
import { submitPassword, showPassword } from './password.tsx';
import { apiKeyPaths, disconnectAppPath } from './paths.ts';
import { securityPages } from './security/routes.ts';
import { storePages } from './stores/routes.ts';
import { accountWebhookPages } from './webhooks/routes.ts';

/** The pages under `/account`. */
export const accountPages: readonly UserPage[] = [
  { path: browserPaths.account, show: showAccountOverview },
  {
    path: browserPaths.password,
    needsProof: 'withSecondFactor',
    show: showPassword,
    onSubmit: submitPassword,
  },
  ...securityPages,
  { path: browserPaths.notifications, show: showNotifications, onSubmit: submitNotifications },
  { path: browserPaths.connectedApps, show: showConnectedApps },
  {
    path: disconnectAppPath(':alias', ':clientId'),
    role: 'manager',
    show: showDisconnect,
    onSubmit: submitDisconnect,
  },
  ...accountWebhookPages,
  ...storePages,
  { path: browserPaths.keys, show: showApiKeys },
  {
    path: apiKeyPaths.create,
    show: showApiKeyForm,
    onSubmit: submitApiKeyForm,
    needsProof: true,
  },
  { path: apiKeyPaths.created, show: showCreatedApiKey },
  {
    path: apiKeyPaths.revoke(':id'),
    show: showApiKeyRevocation,
    onSubmit: submitApiKeyRevocation,
  },
];

/** Mounts the pages under `/account`. */
export const mountAccount = (pages: Hono<AppEnv>): void =>
  mountUserPages(pages, { root: browserPaths.account, operation: 'account' }, accountPages);
