import type { Hono } from 'hono';
import type { AppEnv } from '../http/app-env.ts';
import { browserPaths } from '../session/paths.ts';
import { mountUserPages } from '../session/user-pages.ts';
import { submitApiKeyForm, showCreatedApiKey, showApiKeyForm } from './api-keys/create.tsx';
import { showApiKeys } from './api-keys/list.tsx';
import { showApiKeyRevocation, submitApiKeyRevocation } from './api-keys/revoke.tsx';
import { showDisconnect, submitDisconnect, showConnectedApps } from './connected-apps.tsx';
import { showAccountOverview } from './overview.tsx';
import { submitPassword, showPassword } from './password.tsx';
import { apiKeyPaths, disconnectAppPath } from './paths.ts';
import { accountWebhookPages } from './webhooks/routes.ts';

/** Mounts the pages under `/account`. */
export function mountAccount(pages: Hono<AppEnv>): void {
  mountUserPages(pages, { root: browserPaths.account, operation: 'account' }, [
    { path: browserPaths.account, show: showAccountOverview },
    { path: browserPaths.password, show: showPassword, onSubmit: submitPassword },
    { path: browserPaths.connectedApps, show: showConnectedApps },
    {
      path: disconnectAppPath(':alias', ':clientId'),
      show: showDisconnect,
      onSubmit: submitDisconnect,
    },
    ...accountWebhookPages,
    { path: browserPaths.keys, show: showApiKeys },
    { path: apiKeyPaths.create, show: showApiKeyForm, onSubmit: submitApiKeyForm },
    { path: apiKeyPaths.created, show: showCreatedApiKey },
    {
      path: apiKeyPaths.revoke(':id'),
      show: showApiKeyRevocation,
      onSubmit: submitApiKeyRevocation,
    },
  ]);
}
