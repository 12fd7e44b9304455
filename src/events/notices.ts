import type { NoticeKind } from '../db/schema/webhook-alarms.ts';
import { log } from '../log.ts';

/** What an owner is told of one of their endpoints, as the statement that writes it answers. */
export interface Notice {
  endpoint: number;
  kind: (typeof NoticeKind)[keyof typeof NoticeKind];
}

/** The lines of the log about notices of one shard that were just written: one each. */
export function tellNotices(shard: number, notices: readonly Notice[]): void {
  for (const notice of notices) log('warn', 'webhook_notice', { shard, ...notice });
}
