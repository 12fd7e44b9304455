import { browserPaths } from '../session/paths.ts';

/** What a partner does to change the state of an app; also the last segment of the page's path. */
export const appTransitions = ['publish', 'withdraw', 'disable'] as const;

export type AppTransition = (typeof appTransitions)[number];

/** The pages about apps. */
export const appPaths = {
  register: `${browserPaths.partners}/new`,
  app: (clientId: string) => `${browserPaths.partners}/${clientId}`,
  edit: (clientId: string) => `${browserPaths.partners}/${clientId}/edit`,
  transition: (clientId: string, transition: AppTransition) =>
    `${browserPaths.partners}/${clientId}/${transition}`,
} as const;
