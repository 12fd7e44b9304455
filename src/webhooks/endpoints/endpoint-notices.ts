import { log } from '../../base/log.ts';
import type { NoticeKind } from '../../data/schema/store/webhook-operations-tables.ts';

/** A notice to the owner of an endpoint, as the statement that writes it returns it. */
export interface WrittenNotice {
  endpoint: number;
  kind: (typeof NoticeKind)[keyof typeof NoticeKind];
}

/** Logs one line for each notice that was just written in a shard. */
export function logNotices(shard: number, notices: readonly WrittenNotice[]): void {
  for (const notice of notices) log('warn', 'webhook_notice', { shard, ...notice });
}
