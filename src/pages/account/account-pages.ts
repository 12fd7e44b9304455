import type { Hono } from 'hono';
import { apiKeyPaths, browserPaths, securityPaths } from '../../base/page-paths.ts';
import type { AppEnv } from '../../http/app-env.ts';
import type { UserPage } from '../../web/page.ts';
import { mountUserPages } from '../../web/user-pages.tsx';
import { showKeyRequests } from '../request-log-page.tsx';
import { storePages } from '../stores/store-pages.ts';
import { accountWebhookPages } from '../webhooks/webhook-pages.ts';
import { showAccountOverview } from './account-overview.tsx';
import { notificationsForm, passwordForm } from './account-settings.tsx';
import { disconnectAppForm, showConnectedApps } from './connected-apps.tsx';
import { apiKeyForm, showCreatedApiKey } from './create-api-key.tsx';
import { apiKeyRevocationForm, showApiKeys } from './list-api-keys.tsx';
import { newPasskeyForm, removePasskeyForm } from './passkey-pages.tsx';
import { emailChangeCancelForm, emailChangeForm, profileForm } from './profile-forms.tsx';
import { newCodesForm, showRecoveryCodes } from './recovery-codes-form.tsx';
import { forgetDeviceForm } from './remembered-devices.tsx';
import { secondFactorForm, secondFactorOffForm } from './second-factor.tsx';
import { showSecurity } from './security-page.tsx';
import { endOtherSessionsForm, endSessionForm, showSessions } from './session-list.tsx';
import { shutDoorsForm } from './shut-doors.tsx';

/** The pages of the security of an account: second factor, devices, details. */
const securityPages: readonly UserPage[] = [
  { path: browserPaths.security, show: showSecurity },
  secondFactorForm,
  secondFactorOffForm,
  { path: securityPaths.codes, show: showRecoveryCodes },
  newCodesForm,
  newPasskeyForm,
  removePasskeyForm,
  forgetDeviceForm,
  { path: browserPaths.sessions, show: showSessions },
  endOtherSessionsForm,
  endSessionForm,
  shutDoorsForm,
  profileForm,
  emailChangeForm,
  emailChangeCancelForm,
];

/** The pages under `/account`. */
export const accountPages: readonly UserPage[] = [
  { path: browserPaths.account, show: showAccountOverview },
  passwordForm,
  ...securityPages,
  notificationsForm,
  { path: browserPaths.connectedApps, show: showConnectedApps },
  disconnectAppForm,
  ...accountWebhookPages,
  ...storePages,
  { path: browserPaths.keys, show: showApiKeys },
  apiKeyForm,
  { path: apiKeyPaths.created, show: showCreatedApiKey },
  apiKeyRevocationForm,
  { path: apiKeyPaths.requests(':id'), show: showKeyRequests },
];

/** Mounts the pages under `/account`. */
export const mountAccount = (pages: Hono<AppEnv>): void =>
  mountUserPages(pages, { root: browserPaths.account, operation: 'account' }, accountPages);
