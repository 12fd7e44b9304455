import { listActivity } from '../db/audit/list.ts';
import { formatPlace } from '../db/audit/window.ts';
import { cursorPage } from '../http/cursor-replies.ts';
import { operation } from '../http/operation.ts';
import { AuditEntrySchema, serializeAuditRow } from '../schemas/store/audit-entry.ts';
import { auditQuery } from './activity-query.ts';

export const activityOperations = [
  operation({
    id: 'listActivity',
    route: 'GET /{alias}/audit',
    access: 'config.read',
    query: auditQuery,
    reply: cursorPage(AuditEntrySchema),
    errors: [400],
    note: 'Who changed members, API keys, apps, webhooks, settings, payment and e-mail configuration, newest first, for a year. changes never holds a secret: of a secret, and of the URL of a webhook, it says only that it changed. With a filter, a page may hold fewer than limit entries although meta.cursor.next continues.',
    run: async ({ db, activity, query }) => {
      const { rows, next } = await listActivity(db, activity, query);
      return { rows: rows.map(serializeAuditRow), next: next ? formatPlace(next) : null };
    },
  }),
];
