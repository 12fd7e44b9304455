import * as z from 'zod';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';

const ShardHealthSchema = z
  .object({
    shard: z.int(),
    open: boolOutput,
    bytes: z.int(),
    days_to_full: z.int().nullable(),
    stores: z.int(),
    swept_at: dateTime.nullable(),
    state: z.enum(['ok', 'failed', 'restoring']),
    backlog: z.int().nullable(),
    oldest_seconds: z.int().nullable(),
    timers_late_seconds: z.int().nullable(),
  })
  .meta({ id: 'ShardHealth' });

/* @__PURE__ */ explain(ShardHealthSchema, 'How a database of stores is.', {
  shard: 'Number of the database.',
  open: 'Whether it takes new stores: it is not closed, and smaller than 3 GB.',
  bytes: 'Its size now, of at most 10 GB; as last recorded if it does not respond.',
  days_to_full:
    'Days until it is full, if it grows as in the last days; null if it does not grow. Stores should move away from 45 on.',
  stores: 'How many stores have their data in it now; as last recorded if it does not respond.',
  swept_at:
    'When its upkeep was last recorded, which happens once an hour, at a minute of its own; null in the first hour, until that minute comes.',
  state: 'ok; failed, if it does not respond; or restoring.',
  backlog: 'Webhooks with deliveries that are due, up to 1,000; null if it does not respond.',
  oldest_seconds: 'For how long the oldest of them has been due.',
  timers_late_seconds: 'How late the next capture, reminder or expiry is; 0 if none is due.',
});

export const ServiceHealthSchema = z
  .object({
    status: z.enum(['ok', 'attention']),
    version: z.string(),
    problems: z.array(z.string()),
    mail: z
      .object({
        configured: z.boolean().describe('Whether a sender of mails is set up.'),
        waiting: z.int().describe('Mails that are due, up to 500.'),
        oldest_seconds: z.int().describe('For how long the oldest of them has been due.'),
      })
      .meta({ id: 'MailHealth', description: 'The mails that wait to be sent.' }),
    jobs: z
      .object({
        open: z.int().describe('Jobs that wait or run.'),
        failed: z.int().describe('Failed jobs of the past seven days.'),
      })
      .meta({ id: 'JobHealth', description: 'Long work on stores and databases.' }),
    copies: z
      .object({
        configured: z.boolean().describe('Whether there is a bucket for them.'),
        late: z.int().describe('Databases whose last copies are older than two days.'),
      })
      .meta({ id: 'CopyHealth', description: 'The copies in another account.' }),
    changes: z.array(
      z
        .object({
          name: z.string().describe('Its name, as the release declares it.'),
          finished: z.int().describe('Databases that have finished it.'),
          unfinished: z
            .array(z.int())
            .describe('Numbers of the databases that have not finished it, or do not respond.'),
          failing: z
            .array(z.int())
            .describe(
              'Numbers of those in which its last step failed or was refused, and is tried again.',
            ),
          rows: z.int().describe('Rows that it has changed so far.'),
        })
        .meta({ id: 'ChangeHealth', description: 'A long change of the data of all databases.' }),
    ),
    shards: z.array(ShardHealthSchema),
    next_shard: z.int().nullable(),
  })
  .meta({ id: 'ServiceHealth' });

/* @__PURE__ */ explain(ServiceHealthSchema, 'How the service is, and what waits.', {
  status: 'attention if there is a problem, else ok.',
  version: 'Version of the Worker that answers.',
  problems: 'What needs a person, one sentence each.',
  mail: 'The mails to send.',
  jobs: 'Exports, erasures, moves and drains.',
  copies: 'The copies in another account.',
  changes:
    'Long changes of the release, which each database makes in steps, counted over shards; the next release may wait for them.',
  shards: 'Databases of stores by number, from from_shard on, up to 100.',
  next_shard:
    'First database that shards leaves out, for from_shard of the next request; null if there is none.',
});

/* @__PURE__ */ explainEnum('HealthStatus', 'Whether the service needs a person.', {
  ok: 'It does not.',
  attention: 'It does: see problems.',
});

/* @__PURE__ */ explainEnum('DatabaseState', 'Whether a database of stores answers.', {
  ok: 'It answers.',
  failed: 'It does not answer.',
  restoring: 'It is being brought back to an earlier moment, and nothing uses it.',
});
