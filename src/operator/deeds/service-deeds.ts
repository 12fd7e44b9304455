import { requestJob } from '../../jobs/request.ts';
import { disableApp, enableApp } from '../../people/apps/disable.ts';
import type { PageDeed } from './page-deed.ts';

const disable: PageDeed = {
  segment: 'disable',
  text: 'disable',
  endsSomething: true,
  isDangerous: true,
  run: async (deed, appId, { reason = '' }) => {
    await disableApp(deed, { appId, reason });
  },
};

const enable: PageDeed = {
  segment: 'enable',
  text: 'enable',
  endsSomething: true,
  run: async (deed, appId, { reason = '' }) => {
    await enableApp(deed, { appId, reason });
  },
};

/** What an operator does to an app. */
export const appDeeds: readonly PageDeed[] = [disable, enable];

/** The deed that the state of an app allows. */
export const deedsOfApp = (state: string) => [state === 'disabled' ? enable : disable];

/** Empties a database of stores. */
export const drainDeed: PageDeed = {
  segment: 'empty',
  text: 'drain',
  endsSomething: true,
  isDangerous: true,
  run: async (deed, shard, { reason = '' }) => {
    await requestJob(deed, { kind: 'shard_drain', shard, reason });
  },
};
