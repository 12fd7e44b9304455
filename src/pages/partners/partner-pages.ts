import type { Hono } from 'hono';
import {
  appPaths,
  browserPaths,
  partnerActivityPath,
  testStorePaths,
  trialCallbackPath,
} from '../../base/page-paths.ts';
import type { AppEnv } from '../../http/app-env.ts';
import type { UserPage } from '../../web/page.ts';
import { mountUserPages } from '../../web/user-pages.tsx';
import { showAppRequests } from '../request-log-page.tsx';
import { appEditForm, appRegistrationForm, publisherForm } from './app-forms.tsx';
import {
  appRotationForm,
  appWebhookForm,
  appWebhookRemovalForm,
  showAppSecret,
} from './app-webhook-pages.tsx';
import { showInstalls } from './connections.tsx';
import { logoForm, logoRemovalForm } from './logo-pages.tsx';
import { showPartnerActivity } from './partner-activity.tsx';
import { showApp, showApps } from './partner-apps.tsx';
import { teamForm, teamRemovalForms } from './team-pages.tsx';
import {
  clockForm,
  showTestStores,
  testStoreForm,
  testStoreRemovalForm,
  testStoreResetForm,
} from './test-store-pages.tsx';
import { appTransitionForms } from './transitions.tsx';
import { showTrialResult, trialForm } from './trial.tsx';

const clientId = ':clientId';

/** The pages of partners. Those of fixed paths come first. */
export const partnerPages: readonly UserPage[] = [
  { path: browserPaths.partners, show: showApps },
  appRegistrationForm,
  { path: trialCallbackPath, show: showTrialResult },
  { path: testStorePaths.list, show: showTestStores },
  testStoreForm,
  clockForm,
  testStoreResetForm,
  testStoreRemovalForm,
  teamForm,
  { path: partnerActivityPath(), show: showPartnerActivity },
  ...teamRemovalForms,
  { path: appPaths.app(clientId), show: showApp },
  appEditForm,
  publisherForm,
  logoForm,
  logoRemovalForm,
  trialForm,
  { path: appPaths.installs(clientId), show: showInstalls },
  { path: appPaths.requests(clientId), show: showAppRequests },
  appWebhookForm,
  { path: appPaths.webhookSecret(clientId), show: showAppSecret },
  appRotationForm,
  appWebhookRemovalForm,
  ...appTransitionForms,
];

/** Mounts the pages under `/partners`. */
export function mountPartners(pages: Hono<AppEnv>): void {
  mountUserPages(pages, { root: browserPaths.partners, operation: 'partners' }, partnerPages);
}
