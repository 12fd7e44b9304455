import { formatMegabytes } from '../../base/languages.ts';
import { storePaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { listStoreJobs } from '../../data/directory/job-queries.ts';
import type { Job } from '../../data/directory/job.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { exportKeptMs, isExportKept } from '../../platform/jobs/kept-exports.ts';
import { ActionMenu } from '../../web/components/action-menu.tsx';
import { AttentionList, type AttentionItem } from '../../web/components/attention-list.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage, Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { failingNeeds } from '../webhooks/failing-needs.tsx';
import { InactiveReason, type InactiveStore } from './inactive-reason.tsx';
import { loadFigures, OrdersAndStock, SalesCharts, type StoreDay } from './sales-charts.tsx';

/** The outcomes of forms that lead to the page of the store. */
const outcomes = ['saved', 'exportAsked', 'factorChanged', 'closed', 'reopened', 'made'] as const;

/** The page of a store, with the outcome of the form. */
export const storeDonePath = ({ alias }: { alias: string }, done: (typeof outcomes)[number]) =>
  `${storePaths.details(alias)}?done=${done}`;

/** `GET /account/stores/:alias`. Two round trips more than other pages, at once: its day, and for the owner the last export. */
export async function showStore(page: SignedInPage) {
  const { store, directory } = page;
  const { alias } = store;
  const isOwner = store.role === Role.owner;
  const [[lastExport], day] = await Promise.all([
    isOwner ? listStoreJobs(directory, { kind: 'store_export', storeId: store.id }, 1) : [],
    store.active ? loadFigures(page) : undefined,
  ]);
  return (
    <StorePage
      dashboard={page.dashboard('store/stores')}
      store={{
        ...store,
        isTest: store.test,
        isFactorRequired: store.mfa_required,
        inactive: store.active ? undefined : store,
      }}
      hrefs={hrefsFor(store)}
      day={day}
      needs={failingNeeds({ ...store, figures: day }, page.messages)}
      now={page.now}
      lastExport={lastExport && exportState(lastExport, alias, page.now)}
      done={page.done(outcomes)}
    />
  );
}

/** The pages that the role of a member and the state of the store allow. */
function hrefsFor({ alias, role, active, closedBy }: ManagedStore) {
  const isOwner = role === Role.owner;
  if (!active) {
    return {
      ...(isOwner && { export: storePaths.export(alias) }),
      ...(isOwner && closedBy === 'owner' && { reopen: storePaths.reopen(alias) }),
    };
  }
  return {
    ...(includesRole(role, Role.manager) && { edit: storePaths.edit(alias) }),
    ...(isOwner && {
      secondFactor: storePaths.secondFactor(alias),
      export: storePaths.export(alias),
      close: storePaths.close(alias),
    }),
  };
}

/** Returns the state of the last export; `undefined` for one whose file is gone. */
function exportState(job: Job, alias: string, now: number): ExportState | undefined {
  const { state, done, total, id, finished_at: at } = job;
  if (state === 'waiting' || state === 'failed') return { kind: state };
  if (state === 'running') return { kind: 'running', done, total: Math.max(total, done) };
  if (at === null || !isExportKept(job, now)) return undefined;
  return { kind: 'ready', at, until: at + exportKeptMs, href: storePaths.exportFile(alias, id) };
}

/** The last export of a store. Times are epoch milliseconds. */
type ExportState =
  | { kind: 'waiting' }
  | { kind: 'failed' }
  | { kind: 'running'; done: number; total: number }
  | { kind: 'ready'; at: number; until: number; href: string };

interface StorePageProps {
  dashboard: DashboardProps;
  store: {
    name: string;
    alias: string;
    zone: string;
    role: keyof Messages['members']['roles']['names'];
    isTest: boolean;
    isFactorRequired: boolean;
    /** Absent while the store is active. */
    inactive?: InactiveStore | undefined;
  };
  /** The pages that the role of the reader allows. */
  hrefs: {
    edit?: string | undefined;
    secondFactor?: string | undefined;
    export?: string | undefined;
    close?: string | undefined;
    reopen?: string | undefined;
  };
  /** Absent for an inactive store, and where the shard does not answer. */
  day: StoreDay | undefined;
  needs: readonly AttentionItem[];
  /** Epoch milliseconds. */
  now: number;
  lastExport?: ExportState | undefined;
  /** The outcome of the form before this page. */
  done?: 'saved' | 'exportAsked' | 'factorChanged' | 'closed' | 'reopened' | 'made' | undefined;
}

/** A store: what needs its members, its sales, latest orders and low stocks, its name and zone, and what else can be done with it. */
const StorePage = ({
  dashboard,
  store,
  hrefs,
  day,
  needs,
  now,
  lastExport,
  done,
}: StorePageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const { page: t, create } = messages.stores;
  return (
    <DashboardLayout {...dashboard} title={store.name}>
      <h1>
        <bdi>{store.name}</bdi>
      </h1>
      <FlashMessage text={done && (done === 'made' ? create.made : t[done])} />
      <div class="actions">
        <Action href={hrefs.edit} text={t.edit} />
        <ActionMenu
          {...{ language }}
          actions={[
            hrefs.secondFactor !== undefined && {
              control: (
                <Action
                  href={hrefs.secondFactor}
                  text={store.isFactorRequired ? t.stopRequiringFactor : t.requireFactor}
                />
              ),
            },
            hrefs.export !== undefined && {
              control: <Action href={hrefs.export} text={t.exportAsk} />,
              hint: { text: t.exportLead },
            },
            hrefs.close !== undefined && {
              control: <Action href={hrefs.close} text={t.close} style="danger" />,
              hint: { text: t.closingLead },
            },
          ]}
        />
      </div>
      {store.inactive && (
        <div class="card">
          <InactiveReason store={store.inactive} {...{ language }} zone={store.zone} />
          {hrefs.reopen !== undefined && (
            <p class="actions">
              <Action href={hrefs.reopen} text={messages.stores.list.reopen} style="primary" />
            </p>
          )}
        </div>
      )}
      {needs.length > 0 && <AttentionList title={messages.account.start.needs} items={needs} />}
      {lastExport && <LastExport {...{ language, lastExport }} zone={store.zone} />}
      {day?.sales && <SalesCharts sales={day.sales} alias={store.alias} {...{ language }} />}
      {day && <OrdersAndStock {...{ day, language, now }} zone={store.zone} />}
      <div class="card">
        <dl class="facts">
          <dt>{t.alias}</dt>
          <dd>
            <code>{store.alias}</code> {store.isTest && <span class="tag">{t.test}</span>}
          </dd>
          <dt>{t.zone}</dt>
          <dd>{store.zone}</dd>
          <dt>{t.role}</dt>
          <dd>{messages.members.roles.names[store.role]}</dd>
          <dt>{t.factor}</dt>
          <dd>
            <StateBadge
              tone={store.isFactorRequired ? 'good' : 'neutral'}
              text={store.isFactorRequired ? t.factorRequired : t.factorOptional}
            />
          </dd>
          {day && (
            <>
              <dt>{t.eventsToday}</dt>
              <dd>
                <Interpolate
                  text={t.eventsOfBudget}
                  parts={{
                    bytes: formatMegabytes(day.events.bytes, language),
                    budget: formatMegabytes(day.events.budget, language),
                  }}
                />
              </dd>
            </>
          )}
        </dl>
      </div>
    </DashboardLayout>
  );
};

type ActionStyle = 'primary' | 'plain' | 'danger';

const Action = ({
  href,
  text,
  style = 'plain',
}: {
  href: string | undefined;
  text: string;
  style?: ActionStyle | undefined;
}) =>
  href === undefined ? null : (
    <a class={style === 'primary' ? 'button' : `button ${style}`} href={href}>
      {text}
    </a>
  );

const LastExport = ({
  lastExport,
  language,
  zone,
}: {
  lastExport: ExportState;
  language: DashboardProps['layout']['language'];
  zone: string;
}) => {
  const t = messagesFor(language).stores.page;
  if (lastExport.kind === 'waiting') return <p class="notice">{t.exportWaiting}</p>;
  if (lastExport.kind === 'failed') return <p class="notice danger">{t.exportFailed}</p>;
  if (lastExport.kind === 'running') {
    const { done, total } = lastExport;
    const parts = { done: done.toLocaleString(language), total: total.toLocaleString(language) };
    return (
      <p class="notice">
        <Interpolate text={t.exportRunning} parts={parts} />
      </p>
    );
  }
  const times = {
    at: <FormattedTime {...{ language, zone }} at={lastExport.at} />,
    until: <FormattedTime {...{ language, zone }} at={lastExport.until} />,
  };
  return (
    <p class="notice">
      <Interpolate text={t.exportReady} parts={times} /> <a href={lastExport.href}>{t.download}</a>
    </p>
  );
};
