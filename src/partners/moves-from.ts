import type { App } from '../db/apps.ts';
import type { Move } from './app-paths.ts';

/** What may be done with an app in each state. */
export const movesFrom: Record<App['state'], readonly Move[]> = {
  draft: ['publish', 'disable'],
  published: ['withdraw', 'disable'],
  disabled: ['withdraw'],
};
