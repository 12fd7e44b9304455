import type { QueueName } from '../../../src/data/queues.ts';
import type { jobKinds } from '../../../src/data/schema/directory/operators-tables.ts';

const ofService = 'for the service: reaches no store for anybody';
const ofStore = 'for the store, while it is at work';
const follows = 'takes from grants and caches what the directory took from people';

/**
 * For whom each task works that no request waits for, and what it asks before a step. A task that
 * works for a person asks whether they may still do it; one that is not here fails a test.
 */
export const workAccess = {
  sweep: {
    replayed: ofStore,
    released: ofStore,
    woken: ofStore,
    closed: ofStore,
    secrets: ofStore,
    failing: ofStore,
    throttled: ofStore,
    purged: ofService,
    unarchived: ofService,
    archived: ofService,
    timers: ofStore,
    followed: follows,
    withdrawals: follows,
    notices: 'to those who are members when the mail is written',
    grants: follows,
    installs: ofService,
    resealed: ofService,
    moves: ofService,
    shard: ofService,
    transfers: 'for who began it: asks `isStillAllowed` before each step',
    transfers_purged: ofService,
    copies: ofService,
    changes: ofService,
    jobs: 'see the jobs',
  },
  cron: {
    purgeExpiredSessions: follows,
    sweepMails: 'to whom it was written for',
    runAppEvents: 'for the app, while it is published',
    resealDirectory: ofService,
    purgeRequests: ofService,
    purgeAgents: follows,
    purgeAudit: ofService,
    purgeTombstones: ofService,
    keepLogos: ofService,
  },
  queue: {
    'webhook-fast': ofStore,
    'webhook-slow': ofStore,
    'webhook-dead-letters': ofStore,
    sweep: 'runs the tasks of the sweep',
    transfers: 'for who began it: asks `isStillAllowed` before each step',
    mail: 'to whom it was written for',
  },
  job: {
    store_export: 'for the store: its page gives the file to who owns the store then',
    store_erasure: 'for who closed the store: opening it cancels the job',
    immediate_erasure: 'for two operators, both asked for when the second one confirms',
    store_move: ofService,
    shard_drain: ofService,
    test_store_fill: 'for the store, which is a test store',
    second_factor_removal: 'for an operator, unless its user has objected',
    shard_copy: ofService,
    store_restore: ofService,
    shard_change: ofService,
  },
} as const satisfies Record<string, Readonly<Record<string, string>>> & {
  queue: Record<QueueName, string>;
  job: Record<(typeof jobKinds)[number], string>;
};
