import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { readableAddress } from '../../base/hosts.ts';
import { formatMegabytes } from '../../base/languages.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import { findJob, findStoreJob, listStoreJobs } from '../../data/directory/job-queries.ts';
import {
  findStoreOverview,
  listStoreOverviews,
  storeStates,
  type StoreOverview,
} from '../../data/directory/store-overview.ts';
import { exportFile, exportResponse } from '../../stores/export/export-download.ts';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { readListQuery } from './list-query.ts';
import { actionsOfStore } from './operator-actions.tsx';
import { ListPage } from './operator-list-page.tsx';
import { RecordPage } from './record-page.tsx';
import { isErasure, JobsTable, MembersTable } from './store-tables.tsx';

const tones = { active: 'good', deactivated: 'warn', closed: 'danger', erased: 'neutral' } as const;

/** `GET /operator/stores`. */
export async function showOperatedStores(page: SignedInPage) {
  const { typed, query } = readListQuery(page, storeStates);
  const { rows, next } = await listStoreOverviews(page.directory, query);
  const t = page.messages.operator.stores;
  const columns = [
    {
      label: t.name,
      cell: ({ id, name, alias, test }: StoreOverview) => (
        <>
          <a href={operatorPaths.store(id)}>
            <bdi>{name === '' ? alias : name}</bdi>
          </a>
          {test === 1 && ' '}
          {test === 1 && <span class="tag">{t.test}</span>}
        </>
      ),
    },
    { label: t.alias, cell: ({ alias }: StoreOverview) => <code>{alias}</code> },
    {
      label: t.owner,
      cell: ({ owner_id: id, owner_name: name }: StoreOverview) => (
        <a href={operatorPaths.user(id)}>
          <bdi>{name}</bdi>
        </a>
      ),
    },
    {
      label: page.messages.operator.list.state,
      cell: ({ state }: StoreOverview) => <StateBadge tone={tones[state]} text={t.states[state]} />,
    },
  ];
  return (
    <ListPage
      {...{ page, columns, rows, next }}
      part="operator/stores"
      texts={t}
      filter={{ action: operatorPaths.stores, ...typed }}
      createHref={operatorPaths.newStore}
    />
  );
}

/** Loads the store of the path. Throws a 404. */
export async function requireOperatedStore(page: SignedInPage) {
  const store = await findStoreOverview(page.directory, page.id('id'));
  if (!store) throw notFound();
  // An erased store has no name, and an alias such as `erased-41`.
  return { ...store, name: store.name === '' ? store.alias : store.name, email: store.owner_email };
}

/** `GET /operator/stores/{id}`: a store, its members and jobs, and the possible actions. */
export async function showOperatedStore(page: SignedInPage) {
  const id = page.id('id');
  const [store, jobs] = await Promise.all([
    requireOperatedStore(page),
    listStoreJobs(page.directory, { storeId: id }),
  ]);
  const path = operatorPaths.store(id);
  const { language } = page;
  const { stores: t, users } = page.messages.operator;
  const isOwnerInvited = store.owner_state === 'invited';
  const time = (at: number) => <FormattedTime {...{ language, at }} zone={defaultZone} />;
  const facts = [
    [t.alias, <code>{store.alias}</code>],
    ...(store.former_aliases.length === 0
      ? []
      : [
          [
            t.formerAliases,
            store.former_aliases.map(({ alias, left_at: at }) => (
              <div>
                <code>{alias}</code> · {time(at)}
              </div>
            )),
          ] as const,
        ]),
    [
      t.owner,
      <>
        <a href={operatorPaths.user(store.owner_id)}>
          <bdi>{store.owner_name}</bdi>
        </a>{' '}
        <bdi>{readableAddress(store.owner_email)}</bdi>{' '}
        {isOwnerInvited && <StateBadge tone="warn" text={users.states.invited} />}
      </>,
    ],
    [t.timezone, store.timezone],
    [t.database, String(store.shard)],
    ...(store.event_budget === null
      ? []
      : [[t.eventBudget, formatMegabytes(store.event_budget, language)] as const]),
    ...(store.requests_per_minute === null
      ? []
      : [[t.perMinute, store.requests_per_minute.toLocaleString(language)] as const]),
    [t.made, time(store.created_at)],
    ...(store.inactive_reason === null
      ? []
      : [[t.reason, <bdi>{store.inactive_reason}</bdi>] as const]),
    ...(store.inactive_since === null ? [] : [[t.since, time(store.inactive_since)] as const]),
    ...(store.closed_by === null ? [] : [[t.closedBy, t.closers[store.closed_by]] as const]),
    ...(store.closed_at === null || store.locked_at === null
      ? []
      : [
          [t.lockedAt, time(store.locked_at)] as const,
          [t.lockReason, <bdi>{store.lock_reason}</bdi>] as const,
        ]),
    ...(store.erase_at === null ? [] : [[t.eraseAt, time(store.erase_at)] as const]),
  ] as const;
  return (
    <RecordPage
      {...{ page, path, facts }}
      part="operator/stores"
      title={store.name}
      state={{ tone: tones[store.state], text: t.states[store.state] }}
      actions={actionsOfStore({
        state: store.state,
        isLocked: store.locked_at !== null,
        closedBy: store.closed_by,
        isOwnerInvited,
      })}
    >
      {store.members.length > 0 && <MembersTable {...{ page, store }} />}
      {jobs.length > 0 && <JobsTable {...{ page, jobs }} />}
    </RecordPage>
  );
}

/** The job of the path, which must be an erasure of the store of the path. Throws a 404. */
export async function requireErasure(page: SignedInPage) {
  const job = await findJob(page.directory, page.id('jobId'));
  if (!job || job.store_id !== page.id('id') || !isErasure(job)) throw notFound();
  return { id: job.id };
}

/** `GET /operator/stores/{id}/exports/{jobId}`: the file of an export. 404 when it is gone. */
export async function sendOperatedExport(page: SignedInPage) {
  const { id: storeId, alias } = await requireOperatedStore(page);
  const wanted = { id: page.id('jobId'), kind: 'store_export', storeId } as const;
  const job = await findStoreJob(page.directory, wanted);
  const file = job && exportFile(page.env.ARCHIVE, job, page.now);
  if (!file) throw notFound();
  return exportResponse(file, alias);
}
