import type { Context } from 'hono';
import { defaultZone } from '../codecs/time/zone.ts';
import { openDatabase } from '../db/core/open.ts';
import {
  findStoreOverview,
  listStoreOverviews,
  storeStates,
  type StoreOverview,
} from '../db/directory/overview/stores.ts';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { isExportKept } from '../jobs/export/kept.ts';
import { listStoreJobs } from '../jobs/queries.ts';
import { StateBadge } from '../pages/components/state-badge.tsx';
import { FormattedTime } from '../pages/components/time.tsx';
import { messagesFor } from '../pages/i18n/messages.ts';
import { ListPage } from '../pages/operator/list-page.tsx';
import { RecordPage } from '../pages/operator/record-page.tsx';
import { MembersTable, JobsTable } from '../pages/operator/store-tables.tsx';
import { renderPage } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { buildOperatorProps, pageLinks, readListQuery, requireId } from './dashboard.ts';
import { deedsOfStore } from './deeds/store-deeds.ts';
import { operatorPaths } from './paths.ts';

const tones = { active: 'good', deactivated: 'warn', closed: 'danger', erased: 'neutral' } as const;

/** `GET /operator/stores`. */
export async function showOperatedStores(c: Context<AppEnv>, context: PageContext) {
  const { typed, query } = readListQuery(c, storeStates);
  const { rows, next } = await listStoreOverviews(openDatabase(c.env.DIRECTORY), query);
  const dashboard = buildOperatorProps(c, context, 'stores', operatorPaths.stores);
  const t = messagesFor(dashboard.layout.language).operator.stores;
  const columns = [
    {
      label: t.name,
      cell: ({ id, name, test }: StoreOverview) => (
        <>
          <a href={operatorPaths.store(id)}>
            <bdi>{name}</bdi>
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
      label: messagesFor(dashboard.layout.language).operator.list.state,
      cell: ({ state }: StoreOverview) => <StateBadge tone={tones[state]} text={t.states[state]} />,
    },
  ];
  const page = (
    <ListPage
      {...{ dashboard, columns, rows }}
      title={t.title}
      caption={t.caption}
      filter={{
        action: operatorPaths.stores,
        searchLabel: t.searchLabel,
        states: t.states,
        ...typed,
      }}
      create={{ href: operatorPaths.newStore, text: t.create }}
      {...pageLinks(c, next)}
    />
  );
  return renderPage(c, page);
}

/** Loads the store of the path. Throws a 404. */
export async function requireOperatedStore(c: Context<AppEnv>) {
  const store = await findStoreOverview(openDatabase(c.env.DIRECTORY), requireId(c, 'id'));
  if (!store) throw notFound();
  return store;
}

/** `GET /operator/stores/{id}`: a store, its members and jobs, and what can be done. */
export async function showOperatedStore(c: Context<AppEnv>, context: PageContext) {
  const id = requireId(c, 'id');
  const [store, jobs] = await Promise.all([
    requireOperatedStore(c),
    listStoreJobs(openDatabase(c.env.DIRECTORY), { storeId: id }),
  ]);
  const path = operatorPaths.store(id);
  const dashboard = buildOperatorProps(c, context, 'stores', path);
  const { language } = dashboard.layout;
  const { stores: t, deeds } = messagesFor(language).operator;
  const time = (at: number) => <FormattedTime {...{ language, at }} zone={defaultZone} />;
  const facts = [
    [t.alias, <code>{store.alias}</code>],
    [
      t.owner,
      <>
        <a href={operatorPaths.user(store.owner_id)}>
          <bdi>{store.owner_name}</bdi>
        </a>{' '}
        <bdi>{store.owner_email}</bdi>
      </>,
    ],
    [t.timezone, store.timezone],
    [t.region, store.region ?? '?'],
    [t.database, String(store.shard)],
    [t.made, time(store.created_at)],
    ...(store.inactive_reason === null
      ? []
      : [[t.reason, <bdi>{store.inactive_reason}</bdi>] as const]),
    ...(store.inactive_since === null ? [] : [[t.since, time(store.inactive_since)] as const]),
    ...(store.erase_at === null ? [] : [[t.eraseAt, time(store.erase_at)] as const]),
  ] as const;
  const page = (
    <RecordPage
      {...{ dashboard, facts }}
      title={store.name}
      state={{ tone: tones[store.state], text: t.states[store.state] }}
      isDone={c.req.query('done') === 'done'}
      deeds={deedsOfStore(store.state).map(({ segment, text, isDangerous = false }) => ({
        href: `${path}/${segment}`,
        text: deeds[text].link,
        isDangerous,
      }))}
    >
      <MembersTable
        language={language}
        members={store.members.map((member) => ({
          name: member.name,
          email: member.email,
          role: member.role,
          href: operatorPaths.user(member.user_id),
          removeHref:
            member.role === 'owner' ? undefined : operatorPaths.removeMember(id, member.user_id),
        }))}
      />
      <JobsTable
        language={language}
        jobs={jobs.map((job) => ({
          kind: job.kind,
          state: job.state,
          done: job.done,
          total: job.total,
          at: job.created_at,
          fileHref: isExportKept(job, context.now)
            ? operatorPaths.exportFile(id, job.id)
            : undefined,
        }))}
        zone={defaultZone}
      />
    </RecordPage>
  );
  return renderPage(c, page);
}
