import { paths } from '../session/paths.ts';

/** What a partner may do with an app besides looking at it and editing it. */
export const moves = ['publish', 'withdraw', 'disable'] as const;

export type Move = (typeof moves)[number];

/** The pages about one app. */
export const appPaths = {
  register: `${paths.partners}/new`,
  app: (clientId: string) => `${paths.partners}/${clientId}`,
  edit: (clientId: string) => `${paths.partners}/${clientId}/edit`,
  move: (clientId: string, move: Move) => `${paths.partners}/${clientId}/${move}`,
} as const;
