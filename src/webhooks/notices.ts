import type { NoticeKind } from '../db/schema/store/webhook-operations.ts';
import { log } from '../log.ts';

/** A notice to the owner of an endpoint, as the statement that writes it returns it. */
export interface WrittenNotice {
  endpoint: number;
  kind: (typeof NoticeKind)[keyof typeof NoticeKind];
}

/** Logs one line for each notice that was just written in a shard. */
export function logNotices(shard: number, notices: readonly WrittenNotice[]): void {
  for (const notice of notices) log('warn', 'webhook_notice', { shard, ...notice });
}
