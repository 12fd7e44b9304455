import { purgeChunk, type Purge } from './purge-chunk.ts';

const day = 86_400_000;
const attemptDays = 30;
const snippetDays = 7;

const oldest = (condition: string) => `(endpoint_id, seq, number) in (
  select endpoint_id, seq, number from webhook_attempts
  where at < ?1 ${condition} order by at limit ${purgeChunk})`;

const snippetsSql = `
  update webhook_attempts set response_body = null where ${oldest('and response_body is not null')}`;

const deleteSql = `delete from webhook_attempts where ${oldest('')}`;

/** What a receiver answered goes after 7 days, the rest of an attempt after 30. `now` is epoch milliseconds. */
export const attemptPurges = (now: number): Purge[] => [
  { sql: snippetsSql, values: [now - snippetDays * day] },
  { sql: deleteSql, values: [now - attemptDays * day] },
];
