import type { Hono } from 'hono';
import type { AppEnv } from '../http/app-env.ts';
import { browserPaths } from '../session/pages/paths.ts';
import { mountUserPages, type UserPage } from '../session/pages/user-pages.ts';
import {
  submitAppEdit,
  showAppEdit,
  submitAppRegistration,
  showAppRegistration,
} from './app-forms.tsx';
import { showApp, showApps } from './apps.tsx';
import { showInstalls, showRefusals } from './connections.tsx';
import { appPaths, appTransitions, teamPaths, testStorePaths } from './paths.ts';
import { showTeamRemoval, submitTeamRemoval } from './team/removals.tsx';
import { showTeam, submitTeamInvitation } from './team/team.tsx';
import { showNewTestStore, showTestStores, submitNewTestStore } from './test-stores/list.tsx';
import {
  showRemoval,
  showReset,
  showTestStore,
  submitClock,
  submitRemoval,
  submitReset,
} from './test-stores/store.tsx';
import { showTrial, showTrialResult, submitTrial } from './test-stores/trial.tsx';
import { showAppTransition, submitAppTransition } from './transitions.tsx';
import {
  showAppSecret,
  showAppWebhookDeed,
  submitRotation,
  submitWebhookRemoval,
} from './webhook/deeds.tsx';
import { showAppWebhook, submitAppWebhook } from './webhook/webhook.tsx';

const clientId = ':clientId';
const alias = ':alias';

/** The pages of partners. Those of fixed paths come first. */
const partnerPages: readonly UserPage[] = [
  { path: browserPaths.partners, show: showApps },
  { path: appPaths.register, show: showAppRegistration, onSubmit: submitAppRegistration },
  { path: appPaths.trialCallback, show: showTrialResult },
  { path: testStorePaths.list, show: showTestStores },
  { path: testStorePaths.make, show: showNewTestStore, onSubmit: submitNewTestStore },
  { path: testStorePaths.store(alias), show: showTestStore, onSubmit: submitClock },
  { path: testStorePaths.reset(alias), show: showReset, onSubmit: submitReset },
  { path: testStorePaths.remove(alias), show: showRemoval, onSubmit: submitRemoval },
  { path: teamPaths.team, show: showTeam, onSubmit: submitTeamInvitation },
  ...(['withdraw', 'remove', 'leave'] as const).map((removal) => ({
    path: teamPaths[removal](':id'),
    show: showTeamRemoval(removal),
    onSubmit: submitTeamRemoval(removal),
  })),
  { path: appPaths.app(clientId), show: showApp },
  { path: appPaths.edit(clientId), show: showAppEdit, onSubmit: submitAppEdit },
  { path: appPaths.trial(clientId), show: showTrial, onSubmit: submitTrial },
  { path: appPaths.installs(clientId), show: showInstalls },
  { path: appPaths.refusals(clientId), show: showRefusals },
  { path: appPaths.webhook(clientId), show: showAppWebhook, onSubmit: submitAppWebhook },
  { path: appPaths.webhookSecret(clientId), show: showAppSecret },
  {
    path: appPaths.webhookRotation(clientId),
    show: showAppWebhookDeed('rotate'),
    onSubmit: submitRotation,
  },
  {
    path: appPaths.webhookRemoval(clientId),
    show: showAppWebhookDeed('remove'),
    onSubmit: submitWebhookRemoval,
  },
  ...appTransitions.map((transition) => ({
    path: appPaths.transition(clientId, transition),
    show: showAppTransition(transition),
    onSubmit: submitAppTransition(transition),
  })),
];

/** Mounts the pages under `/partners`. */
export function mountPartners(pages: Hono<AppEnv>): void {
  mountUserPages(pages, { root: browserPaths.partners, operation: 'partners' }, partnerPages);
}
