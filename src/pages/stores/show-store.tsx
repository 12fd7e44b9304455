import { formatMegabytes } from '../../base/languages.ts';
import { storePaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { listStoreJobs } from '../../data/directory/job-queries.ts';
import type { Job } from '../../data/directory/job.ts';
import { exportKeptMs, isExportKept } from '../../stores/export/kept-exports.ts';
import { ActionMenu } from '../../web/components/action-menu.tsx';
import { AttentionList } from '../../web/components/attention-list.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage, Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { failingNeeds } from '../webhooks/failing-needs.tsx';
import { InactiveReason } from './inactive-reason.tsx';
import { loadFigures, OrdersAndStock, SalesCharts } from './sales-charts.tsx';

/** The outcomes of forms that lead to the page of the store. */
const outcomes = ['saved', 'exportAsked', 'factorChanged', 'closed', 'reopened', 'made'] as const;

/** The page of a store, with the outcome of the form. */
export const storeDonePath = ({ alias }: { alias: string }, done: (typeof outcomes)[number]) =>
  `${storePaths.details(alias)}?done=${done}`;

/**
 * `GET /account/stores/:alias`: what needs its members, its sales, latest orders and low stocks,
 * its name and zone, and what else can be done with it. Two round trips more than other pages, at
 * once: its day, and for the owner the last export.
 */
export async function showStore(page: SignedInPage) {
  const { store, directory, language, messages } = page;
  const { alias } = store;
  const isOwner = store.role === Role.owner;
  const [[lastExport], day] = await Promise.all([
    isOwner ? listStoreJobs(directory, { kind: 'store_export', storeId: store.id }, 1) : [],
    store.active ? loadFigures(page) : undefined,
  ]);
  const { page: t, create } = messages.stores;
  const needs = failingNeeds(store, day, messages);
  const done = page.done(outcomes);
  return (
    <DashboardLayout {...page.dashboard('store/stores')} title={store.name}>
      <h1>
        <bdi>{store.name}</bdi>
      </h1>
      <FlashMessage text={done && (done === 'made' ? create.made : t[done])} />
      <div class="actions">
        {includesRole(store.role, Role.manager) && store.active && (
          <Action href={storePaths.edit(alias)} text={t.edit} />
        )}
        <ActionMenu
          {...{ language }}
          actions={[
            isOwner &&
              store.active && {
                control: (
                  <Action
                    href={storePaths.secondFactor(alias)}
                    text={store.mfa_required ? t.stopRequiringFactor : t.requireFactor}
                  />
                ),
              },
            isOwner && {
              control: <Action href={storePaths.export(alias)} text={t.exportAsk} />,
              hint: { text: t.exportLead },
            },
            isOwner &&
              store.active && {
                control: <Action href={storePaths.close(alias)} text={t.close} style="danger" />,
                hint: { text: t.closingLead },
              },
          ]}
        />
      </div>
      {!store.active && (
        <div class="card">
          <InactiveReason {...{ store, language }} />
          {isOwner && store.closedBy === 'owner' && (
            <p class="actions">
              <Action
                href={storePaths.reopen(alias)}
                text={messages.stores.list.reopen}
                style="primary"
              />
            </p>
          )}
        </div>
      )}
      {needs.length > 0 && <AttentionList title={messages.account.start.needs} items={needs} />}
      {lastExport && <LastExport {...{ page }} job={lastExport} />}
      {day?.sales && <SalesCharts {...{ page }} sales={day.sales} />}
      {day && <OrdersAndStock {...{ page, day }} />}
      <div class="card">
        <dl class="facts">
          <dt>{t.alias}</dt>
          <dd>
            <code>{alias}</code> {store.test && <span class="tag">{t.test}</span>}
          </dd>
          <dt>{t.zone}</dt>
          <dd>{store.zone}</dd>
          <dt>{t.role}</dt>
          <dd>{messages.members.roles.names[store.role]}</dd>
          <dt>{t.factor}</dt>
          <dd>
            <StateBadge
              tone={store.mfa_required ? 'good' : 'neutral'}
              text={store.mfa_required ? t.factorRequired : t.factorOptional}
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
}

type ActionStyle = 'primary' | 'plain' | 'danger';

const Action = ({
  href,
  text,
  style = 'plain',
}: {
  href: string;
  text: string;
  style?: ActionStyle | undefined;
}) => (
  <a class={style === 'primary' ? 'button' : `button ${style}`} href={href}>
    {text}
  </a>
);

/** The state of the last export; nothing about one whose file is gone. */
const LastExport = ({
  page: { language, messages, store, now },
  job,
}: {
  page: SignedInPage;
  job: Job;
}) => {
  const t = messages.stores.page;
  const { state, done, finished_at: at } = job;
  if (state === 'waiting') return <p class="notice">{t.exportWaiting}</p>;
  if (state === 'failed') return <p class="notice danger">{t.exportFailed}</p>;
  if (state === 'running') {
    const total = Math.max(job.total, done);
    const parts = { done: done.toLocaleString(language), total: total.toLocaleString(language) };
    return (
      <p class="notice">
        <Interpolate text={t.exportRunning} parts={parts} />
      </p>
    );
  }
  if (at === null || !isExportKept(job, now)) return null;
  const { alias, zone } = store;
  const times = {
    at: <FormattedTime {...{ language, zone, at }} />,
    until: <FormattedTime {...{ language, zone }} at={at + exportKeptMs} />,
  };
  return (
    <p class="notice">
      <Interpolate text={t.exportReady} parts={times} />{' '}
      <a href={storePaths.exportFile(alias, job.id)}>{t.download}</a>
    </p>
  );
};
