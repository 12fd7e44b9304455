import { inviteMember, inviteOwner } from '../../accounts/members/invite.ts';
import { removeMember } from '../../accounts/members/remove-member.ts';
import { conflict, notFound } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { findStoreOverview, listStoreOverviews } from '../../data/directory/store-overview.ts';
import { cursorPage } from '../../http/cursor-replies.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { deactivateStore, reactivateStore } from '../../stores/activate-store.ts';
import { closeStore, reopenStore } from '../../stores/close-store.ts';
import { createStore } from '../../stores/create-store.ts';
import { requireStore } from '../../stores/find-store.ts';
import { renameAlias } from '../../stores/rename-store.ts';
import { setStoreLimits } from '../../stores/set-store-limits.ts';
import {
  StoreLimitsRequest,
  MemberRequest,
  ReasonRequest,
  RenameRequest,
  storeListQuery,
  StoreRequest,
} from './requests.ts';
import { OperatedStoreDetailsSchema, OperatedStoreSchema } from './store-schema.ts';

/** The store as it is after an action. */
async function show(action: ActionContext, storeId: number) {
  const store = await findStoreOverview(action.directory, storeId);
  if (!store) throw notFound();
  return store;
}

const idempotentNote = 'A repetition changes nothing.';

export const operatedStoreOperations = [
  operation({
    id: 'listStores',
    route: 'GET /operator/stores',
    access: 'operator',
    query: storeListQuery,
    reply: cursorPage(OperatedStoreSchema),
    errors: [400],
    run: ({ action, query }) => listStoreOverviews(action.directory, query),
  }),
  operation({
    id: 'createStore',
    route: 'POST /operator/stores',
    access: 'operator',
    body: StoreRequest,
    reply: data(201, OperatedStoreDetailsSchema),
    errors: [409, 422],
    note: `The owner gets a mail, a new one an invitation. ${idempotentNote} 409 (alias_taken) for an alias that another store has or had, 409 (no_room) if no database takes new stores.`,
    run: async ({ action, body }) => {
      const { owner_email: ownerEmail, test: isTest, ...fields } = body;
      const { store } = await createStore(action, { ...fields, ownerEmail, isTest });
      return show(action, store.id);
    },
  }),
  operation({
    id: 'showStore',
    route: 'GET /operator/stores/{id}',
    access: 'operator',
    reply: data(200, OperatedStoreDetailsSchema),
    errors: [404],
    run: ({ action, ids }) => findStoreOverview(action.directory, ids.id),
  }),
  operation({
    id: 'deactivateStore',
    route: 'POST /operator/stores/{id}/deactivate',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, OperatedStoreDetailsSchema),
    errors: [404, 409, 422],
    note: `API and pages refuse the store within a minute. Its deliveries, captures and reminders wait. Owner and managers get a mail with the reason. A closed store stays deactivated when it is opened again. ${idempotentNote}`,
    run: async ({ action, ids, body }) => {
      await deactivateStore(action, { storeId: ids.id, reason: body.reason });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'reactivateStore',
    route: 'POST /operator/stores/{id}/reactivate',
    access: 'operator',
    body: ReasonRequest,
    reply: data(200, OperatedStoreDetailsSchema),
    errors: [404, 409, 422],
    note: `Undoes deactivate, and what waited goes on. A store that is closed stays closed. ${idempotentNote}`,
    run: async ({ action, ids, body }) => {
      await reactivateStore(action, { storeId: ids.id, ...body });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'closeStore',
    route: 'POST /operator/stores/{id}/close',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, OperatedStoreDetailsSchema),
    errors: [404, 409, 422],
    note: `The store is inactive at once and erased after 30 days, until then only an operator can reopen it. For one that its owner closed, the 30 days begin again. ${idempotentNote}`,
    run: async ({ action, ids, body }) => {
      await closeStore(action, { storeId: ids.id, reason: body.reason });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'reopenStore',
    route: 'POST /operator/stores/{id}/reopen',
    access: 'operator',
    body: ReasonRequest,
    reply: data(200, OperatedStoreDetailsSchema),
    errors: [404, 409, 422],
    note: `Undoes close, no matter who did it, and cancels its erasure. A deactivated store stays so. 409 (job_irrevocable) once its erasure has begun. ${idempotentNote}`,
    run: async ({ action, ids, body }) => {
      await reopenStore(action, { storeId: ids.id, ...body });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'renameStore',
    route: 'POST /operator/stores/{id}/rename',
    access: 'operator',
    body: RenameRequest,
    reply: data(200, OperatedStoreDetailsSchema),
    errors: [404, 409, 422],
    note: `For a year, the alias that it leaves leads to it, and answers name the new one. Its apps get the event store.renamed. No other store ever gets a former alias; the store may take its own back. ${idempotentNote} 409 (alias_taken) for an alias that another store has or had.`,
    run: async ({ action, ids, body }) => {
      await renameAlias(action, { storeId: ids.id, ...body });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'setStoreLimits',
    route: 'POST /operator/stores/{id}/limits',
    access: 'operator',
    body: StoreLimitsRequest,
    reply: data(200, OperatedStoreDetailsSchema),
    errors: [404, 409, 422],
    note: `Replaces both. The budget counts at once, also for today; the requests within a minute. ${idempotentNote}`,
    run: async ({ action, ids, body: { reason, ...limits } }) => {
      await setStoreLimits(action, { storeId: ids.id, limits, reason });
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'inviteMember',
    route: 'POST /operator/stores/{id}/members',
    access: 'operator',
    body: MemberRequest,
    reply: data(201, OperatedStoreDetailsSchema),
    errors: [404, 409, 422],
    run: async ({ action, ids, body }) => {
      const store = await requireStore(action, ids.id);
      const result = await inviteMember(action, store, body);
      if (result === 'too_many') throw conflict('too_many_invitations');
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'inviteOwner',
    route: 'POST /operator/stores/{id}/owner/invite',
    access: 'operator',
    body: ReasonRequest,
    reply: data(200, OperatedStoreDetailsSchema),
    errors: [404, 409, 422],
    run: async ({ action, ids, body }) => {
      const store = await requireStore(action, ids.id);
      const result = await inviteOwner(action, store, body);
      if (result === 'too_many') throw conflict('too_many_invitations');
      return show(action, ids.id);
    },
  }),
  operation({
    id: 'removeMember',
    route: 'POST /operator/stores/{id}/members/{user_id}/remove',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, OperatedStoreDetailsSchema),
    errors: [404, 409, 422],
    run: async ({ action, ids, body }) => {
      const store = await requireStore(action, ids.id);
      const isGone = await removeMember(action, store, ids.user_id, { reason: body.reason });
      if (!isGone) throw conflict('owner_stays');
      return show(action, ids.id);
    },
  }),
];

/* @__PURE__ */ explainOperations({
  listStores:
    'Newest first. With state or search a page scans 1,000 stores, so it may hold few or none although there is a next page.',
  inviteMember:
    'Sends an invitation, which takes the place of an open one. The user is a member once it is accepted. A member of the store stays as they are. 409 (too_many_invitations) for more than 50 open ones.',
  inviteOwner:
    'Sends the invitation of an owner without a password again, and its earlier link stops. Any other owner gets no mail. 409 (too_many_invitations) for more than 50 open ones.',
  removeMember:
    'The user loses the store at once: pages, keys, and what they granted there. 409 (owner_stays) for the owner, who hands over first. A user who is not a member stays unchanged.',
});
