import * as z from 'zod';
import { auditQuery, AuditEntrySchema, serializeAuditRow } from '../../accounts/activity.ts';
import { blockHost, unblockHost } from '../../accounts/partners/block-host.ts';
import { disableApp, enableApp } from '../../accounts/partners/disable.ts';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { idOutput, pathNumber } from '../../base/codecs/fields/ids.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { formatPlace } from '../../data/audit/window.ts';
import { listOperatorAudit } from '../../data/directory/activity.ts';
import { findAppOverview, listAppOverviews } from '../../data/directory/app-overview.ts';
import { listBlockedHosts } from '../../data/directory/blocked-hosts.ts';
import { cursorPage } from '../../http/cursor-replies.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { defineQuery } from '../../http/query-parameters.ts';
import { data, emptyObject } from '../../http/replies.ts';
import { findServiceHealth } from '../service-health.ts';
import { ServiceHealthSchema } from './health-schema.ts';
import { appListQuery, hostListQuery, HostRequest, ReasonRequest } from './requests.ts';

const OperatedAppSchema = z
  .object({
    id: idOutput,
    client_id: z.string(),
    name: z.string(),
    publisher: z.string(),
    state: z.enum(['draft', 'published', 'disabled']),
    disabled_reason: z.string().nullable(),
    partner_id: z.int(),
    partner_email: z.string(),
    created_at: dateTime,
  })
  .meta({ id: 'OperatedApp' });

/* @__PURE__ */ explain(OperatedAppSchema, 'An app as operators see it.', {
  client_id: 'Public id of the app, which it sends with its requests.',
  name: 'Name that merchants see.',
  publisher: 'Who publishes the app.',
  state: 'draft, published or disabled.',
  disabled_reason: 'Why an operator disabled it; null unless one did.',
  partner_id: 'User who registered the app.',
  partner_email: 'Address of that user.',
  created_at: 'When the app was registered.',
});

export const operatedAppOperations = [
  operation({
    id: 'listApps',
    route: 'GET /operator/apps',
    access: 'operator',
    query: appListQuery,
    reply: cursorPage(OperatedAppSchema),
    errors: [400],
    run: ({ action, query }) => listAppOverviews(action.directory, query),
  }),
  operation({
    id: 'showApp',
    route: 'GET /operator/apps/{id}',
    access: 'operator',
    reply: data(200, OperatedAppSchema),
    errors: [404],
    run: ({ action, ids }) => findAppOverview(action.directory, ids.id),
  }),
  operation({
    id: 'disableApp',
    route: 'POST /operator/apps/{id}/disable',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, OperatedAppSchema),
    errors: [404, 422],
    run: async ({ action, ids, body }) => {
      await disableApp(action, { appId: ids.id, ...body });
      return findAppOverview(action.directory, ids.id);
    },
  }),
  operation({
    id: 'enableApp',
    route: 'POST /operator/apps/{id}/enable',
    access: 'operator',
    body: ReasonRequest,
    reply: data(200, OperatedAppSchema),
    errors: [404, 422],
    run: async ({ action, ids, body }) => {
      await enableApp(action, { appId: ids.id, ...body });
      return findAppOverview(action.directory, ids.id);
    },
  }),
];

const BlockedHostSchema = z
  .object({ id: idOutput, host: z.string(), reason: z.string(), created_at: dateTime })
  .meta({ id: 'BlockedHost' });

/* @__PURE__ */ explain(BlockedHostSchema, 'A host whose assistants are blocked.', {
  host: 'Where the assistants come from, or are sent back to.',
  reason: 'Why it is blocked.',
  created_at: 'When it was blocked.',
});

export const blockedHostOperations = [
  operation({
    id: 'listBlockedHosts',
    route: 'GET /operator/hosts',
    access: 'operator',
    query: hostListQuery,
    reply: cursorPage(BlockedHostSchema),
    errors: [400],
    run: ({ action, query }) => listBlockedHosts(action.directory, query),
  }),
  operation({
    id: 'blockHost',
    route: 'POST /operator/hosts',
    access: 'operator',
    isDangerous: true,
    body: HostRequest,
    reply: data(201, BlockedHostSchema),
    errors: [422],
    run: ({ action, body }) => blockHost(action, body),
  }),
  operation({
    id: 'unblockHost',
    route: 'POST /operator/hosts/{id}/unblock',
    access: 'operator',
    body: ReasonRequest,
    reply: emptyObject(),
    errors: [404, 422],
    run: ({ action, ids, body }) => unblockHost(action, { id: ids.id, ...body }),
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
    run: async ({ action, query }) => {
      const { rows, next } = await listOperatorAudit(action.directory, query);
      return { rows: rows.map(serializeAuditRow), next: next ? formatPlace(next) : null };
    },
  }),
  operation({
    id: 'showHealth',
    route: 'GET /operator/health',
    access: 'operator',
    query: defineQuery(z.object({ from_shard: pathNumber.optional() }), [
      {
        name: 'from_shard',
        description: 'Asks 100 databases from this number on.',
        schema: { type: 'integer', minimum: 0, default: 0 },
      },
    ]),
    reply: data(200, ServiceHealthSchema),
    errors: [400],
    run: ({ action, query }) =>
      findServiceHealth(action.env, action.directory, {
        now: action.now,
        fromShard: query.from_shard,
      }),
  }),
];

/* @__PURE__ */ explainOperations({
  listApps:
    'Newest first. With state or search a page scans 1,000 apps, so it may hold few or none although there is a next page.',
  disableApp:
    'The app gets no new grants at once. Its grants end and its webhooks pause in every store within a minute, also after an interruption. Its partner cannot enable it. An app that is disabled stays as it is.',
  enableApp:
    'The app is a draft of its partner again, who publishes it. Merchants connect it anew. An app that is not disabled stays as it is.',
  listBlockedHosts: 'Newest first.',
  blockHost:
    'Its assistants register no more and get no consent, whether the host publishes their document or is one of their redirect URIs. So do those of names below it, however an address spells them. Their tokens end with the next call, in a large deployment within minutes, also after an interruption. A host that is blocked already keeps its reason.',
  unblockHost: 'People connect its assistants anew: tokens that ended stay so.',
  listOperatorAudit:
    'What operators did by page, operation or command, newest first, for a year. With a filter, a page may hold fewer than limit entries although meta.cursor.next continues.',
  showHealth:
    'Asks 100 databases, six at a time, and names the next one. A database that does not respond is failed in the list, not an error. problems also has what the directory knows of the others.',
});

/* @__PURE__ */ explainEnum('AppState', 'Which stores can connect an app.', {
  draft: 'Those of its partner only.',
  published: 'All.',
  disabled: 'None.',
});
