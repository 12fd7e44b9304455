import { trialCallbackPath } from '../oauth/metadata.ts';
import { browserPaths } from '../session/pages/paths.ts';

/** What a partner does to change the state of an app; also the last segment of the page's path. */
export const appTransitions = ['publish', 'withdraw', 'disable'] as const;

export type AppTransition = (typeof appTransitions)[number];

/** The pages about apps. */
export const appPaths = {
  register: `${browserPaths.partners}/new`,
  app: (clientId: string) => `${browserPaths.partners}/${clientId}`,
  edit: (clientId: string) => `${browserPaths.partners}/${clientId}/edit`,
  trial: (clientId: string) => `${browserPaths.partners}/${clientId}/try`,
  trialCallback: trialCallbackPath,
  installs: (clientId: string) => `${browserPaths.partners}/${clientId}/stores`,
  refusals: (clientId: string) => `${browserPaths.partners}/${clientId}/requests`,
  webhook: (clientId: string) => `${browserPaths.partners}/${clientId}/webhook`,
  webhookSecret: (clientId: string) => `${browserPaths.partners}/${clientId}/webhook/secret`,
  webhookRotation: (clientId: string) => `${browserPaths.partners}/${clientId}/webhook/rotate`,
  webhookRemoval: (clientId: string) => `${browserPaths.partners}/${clientId}/webhook/remove`,
  transition: (clientId: string, transition: AppTransition) =>
    `${browserPaths.partners}/${clientId}/${transition}`,
} as const;

const testStores = `${browserPaths.partners}/test-stores`;

/** The pages about test stores. */
export const testStorePaths = {
  list: testStores,
  make: `${testStores}/new`,
  store: (alias: string) => `${testStores}/${alias}`,
  reset: (alias: string) => `${testStores}/${alias}/reset`,
  remove: (alias: string) => `${testStores}/${alias}/delete`,
} as const;

const team = `${browserPaths.partners}/team`;

/** The pages about the team of a partner. */
export const teamPaths = {
  team,
  withdraw: (id: number | string) => `${team}/invitations/${id}/withdraw`,
  remove: (userId: number | string) => `${team}/members/${userId}/remove`,
  leave: (partnerId: number | string) => `${team}/of/${partnerId}/leave`,
} as const;
