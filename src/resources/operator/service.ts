import { formatPlace } from '../../db/audit/window.ts';
import { listOperatorAudit } from '../../db/directory/activity.ts';
import { findAppOverview, listAppOverviews } from '../../db/directory/overview/apps.ts';
import { cursorPage } from '../../http/cursor-replies.ts';
import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { disableApp, enableApp } from '../../people/apps/disable.ts';
import { findServiceHealth } from '../../platform/service-health.ts';
import { OperatedAppSchema } from '../../schemas/operator/app.ts';
import { ServiceHealthSchema } from '../../schemas/operator/health.ts';
import { AuditEntrySchema, serializeAuditRow } from '../../schemas/store/audit-entry.ts';
import { auditQuery } from '../activity-query.ts';
import { appListQuery, ReasonRequest } from './requests.ts';

export const operatedAppOperations = [
  operation({
    id: 'listApps',
    route: 'GET /operator/apps',
    access: 'operator',
    query: appListQuery,
    reply: cursorPage(OperatedAppSchema),
    errors: [400],
    note: 'Newest first. With state or search a page scans 1,000 apps, so it may hold few or none although there is a next page.',
    run: ({ deed, query }) => listAppOverviews(deed.directory, query),
  }),
  operation({
    id: 'showApp',
    route: 'GET /operator/apps/{id}',
    access: 'operator',
    reply: data(200, OperatedAppSchema),
    errors: [404],
    run: ({ deed, ids }) => findAppOverview(deed.directory, ids.id),
  }),
  operation({
    id: 'disableApp',
    route: 'POST /operator/apps/{id}/disable',
    access: 'operator',
    body: ReasonRequest,
    reply: data(200, OperatedAppSchema),
    errors: [404, 422],
    note: 'The app gets no new grants at once. Its grants end and its webhooks pause in every store within a minute, also after an interruption. Its partner cannot enable it. An app that is disabled stays as it is.',
    run: async ({ deed, ids, body }) => {
      await disableApp(deed, { appId: ids.id, ...body });
      return findAppOverview(deed.directory, ids.id);
    },
  }),
  operation({
    id: 'enableApp',
    route: 'POST /operator/apps/{id}/enable',
    access: 'operator',
    body: ReasonRequest,
    reply: data(200, OperatedAppSchema),
    errors: [404, 422],
    note: 'The app is a draft of its partner again, who publishes it. Merchants connect it anew. An app that is not disabled stays as it is.',
    run: async ({ deed, ids, body }) => {
      await enableApp(deed, { appId: ids.id, ...body });
      return findAppOverview(deed.directory, ids.id);
    },
  }),
];

export const serviceOperations = [
  operation({
    id: 'listOperatorAudit',
    route: 'GET /operator/audit',
    access: 'operator',
    query: auditQuery,
    reply: cursorPage(AuditEntrySchema),
    errors: [400],
    note: 'What operators did by page, operation or command, newest first, for a year. With a filter, a page may hold fewer than limit entries although meta.cursor.next continues.',
    run: async ({ deed, query }) => {
      const { rows, next } = await listOperatorAudit(deed.directory, query);
      return { rows: rows.map(serializeAuditRow), next: next ? formatPlace(next) : null };
    },
  }),
  operation({
    id: 'showHealth',
    route: 'GET /operator/health',
    access: 'operator',
    reply: data(200, ServiceHealthSchema),
    errors: [],
    note: 'Asks every database, six at a time. A database that does not respond is failed in the list, not an error.',
    run: ({ deed }) => findServiceHealth(deed.env, deed.directory, deed.now),
  }),
];
