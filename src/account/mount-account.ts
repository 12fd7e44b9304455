import type { Hono } from 'hono';
import type { Faces } from '../http/faces.ts';
import { mountPersonal } from '../session/mount-personal.ts';
import { paths } from '../session/paths.ts';
import { confirmDisconnect } from './confirm-disconnect.tsx';
import { createKey } from './create-key.ts';
import { disconnect } from './disconnect.ts';
import { keyPaths } from './key-paths.ts';
import { confirmRevoke, revoke } from './revoke-key.tsx';
import { setPassword } from './set-password.ts';
import { showAccount } from './show-account.tsx';
import { disconnectPath, showConnectedApps } from './show-connected-apps.tsx';
import { showKeys } from './show-keys.tsx';
import { showMadeKey } from './show-made-key.tsx';
import { showNewKey } from './show-new-key.tsx';
import { showPassword } from './show-password.tsx';
import { webhookPages } from './webhooks/webhook-pages.ts';

/** The pages of a merchant: the start, the password, connected apps, webhooks, API keys. */
export function mountAccount(pages: Hono<Faces>): void {
  mountPersonal(pages, { root: paths.account, operation: 'account' }, [
    { path: paths.account, show: showAccount },
    { path: paths.password, show: showPassword, take: setPassword },
    { path: paths.connectedApps, show: showConnectedApps },
    {
      path: disconnectPath(':alias', ':clientId'),
      show: confirmDisconnect,
      take: disconnect,
    },
    ...webhookPages,
    { path: paths.keys, show: showKeys },
    { path: keyPaths.create, show: showNewKey, take: createKey },
    { path: keyPaths.made, show: showMadeKey },
    { path: keyPaths.revoke(':id'), show: confirmRevoke, take: revoke },
  ]);
}
