import { eq } from 'drizzle-orm';
import { pathNumber } from '../../base/codecs/fields/ids.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { formatMegabytes, type Language } from '../../base/languages.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import { listUnconfirmedErasures } from '../../data/directory/job-queries.ts';
import { shards } from '../../data/schema/directory/directory-tables.ts';
import { findServiceHealth } from '../../ops/service-health.ts';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { FlashMessage, Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { doneOf } from './operator-actions.tsx';

/** `GET /operator`: the health of the service, and the waiting work. */
export async function showOperatorOverview(page: SignedInPage) {
  const fromShard = pathNumber.safeParse(page.query('from_shard')).data;
  const [health, erasures] = await Promise.all([
    findServiceHealth(page.env, page.directory, { now: page.now, fromShard }),
    listUnconfirmedErasures(page.directory, page.now),
  ]);
  const { language } = page;
  const { overview: t, stores, objectives } = page.messages.operator;
  return (
    <DashboardLayout {...page.dashboard('operator/overview')} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={doneOf(page)} />
      {health.findings.length + erasures.length === 0 ? (
        <p>
          <StateBadge tone="good" text={t.good} /> {t.goodLead}
        </p>
      ) : (
        <>
          <p>
            <StateBadge tone="warn" text={t.attention} />
          </p>
          <ul>
            {health.findings.map(({ kind, number }) => (
              <li>{t.findings[kind].replace('{number}', String(number))}</li>
            ))}
            {erasures.map(({ id, name, alias, lapsesAt }) => (
              <li>
                <a href={operatorPaths.store(id)}>
                  <bdi>{name === '' ? alias : name}</bdi>
                </a>
                {`: ${stores.jobKinds.immediate_erasure}. `}
                <Interpolate
                  text={stores.awaitsConfirmation}
                  parts={{
                    date: <FormattedTime {...{ language, zone: defaultZone }} at={lapsesAt ?? 0} />,
                  }}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <dl class="facts">
        <dt>{t.mails}</dt>
        <dd>{health.mail.waiting.toLocaleString(language)}</dd>
        <dt>{t.jobs}</dt>
        <dd>{health.jobs.open.toLocaleString(language)}</dd>
        <dt>{t.copies}</dt>
        <dd>{health.copies.configured ? t.copied : t.noCopies}</dd>
        <dt>{t.version}</dt>
        <dd>
          <code>{health.version}</code>
        </dd>
      </dl>
      <p class="actions">
        <a class="button plain" href={operatorPaths.objectives}>
          {objectives.title}
        </a>
      </p>
      <DataTable caption={t.databases} columns={columns(language)} rows={health.shards} />
      {health.next_shard !== null && (
        <p class="actions">
          <a
            class="button plain"
            href={`${operatorPaths.overview}?from_shard=${health.next_shard}`}
            rel="next"
          >
            {t.moreDatabases}
          </a>
        </p>
      )}
      {health.changes.length > 0 && (
        <DataTable caption={t.changes} columns={changeColumns(language)} rows={health.changes} />
      )}
    </DashboardLayout>
  );
}

/** The database of the path. Its number may be 0. */
export async function requireDatabase(page: SignedInPage) {
  const { data: number } = pathNumber.safeParse(page.param('number'));
  if (number === undefined) throw notFound();
  const isKnown = eq(shards.number, number);
  const [row] = await page.directory.select({ number: shards.number }).from(shards).where(isKnown);
  if (!row) throw notFound();
  return { name: String(number) };
}

type Health = Awaited<ReturnType<typeof findServiceHealth>>;

type DatabaseRow = Health['shards'][number];

/** A long change of a release. */
type ChangeRow = Health['changes'][number];

/** Numbers of databases that a cell names. */
const maxNamed = 20;

const nameSome = (numbers: readonly number[]) =>
  numbers.length === 0
    ? '–'
    : `${numbers.slice(0, maxNamed).join(', ')}${numbers.length > maxNamed ? ' …' : ''}`;

function changeColumns(language: Language) {
  const { overview: t } = messagesFor(language).operator;
  return [
    { label: t.change, cell: ({ name }: ChangeRow) => <code>{name}</code> },
    {
      label: t.finishedIn,
      cell: ({ finished, unfinished }: ChangeRow) =>
        `${finished} / ${finished + unfinished.length}`,
    },
    { label: t.unfinishedIn, cell: ({ unfinished }: ChangeRow) => nameSome(unfinished) },
    { label: t.failedIn, cell: ({ failing }: ChangeRow) => nameSome(failing) },
    { label: t.changedRows, cell: ({ rows }: ChangeRow) => rows.toLocaleString(language) },
  ];
}

function columns(language: Language) {
  const { overview: t, actions } = messagesFor(language).operator;
  const tones = { ok: 'good', failed: 'danger', restoring: 'warn' } as const;
  return [
    {
      label: t.number,
      cell: ({ shard }: DatabaseRow) => (
        <>
          <span class="in-card">{t.number} </span>
          {shard}
        </>
      ),
    },
    {
      label: t.state,
      cell: ({ state }: DatabaseRow) => <StateBadge tone={tones[state]} text={t.states[state]} />,
    },
    { label: t.stores, cell: ({ stores }: DatabaseRow) => stores.toLocaleString(language) },
    { label: t.size, cell: ({ bytes }: DatabaseRow) => formatMegabytes(bytes, language) },
    {
      label: t.daysToFull,
      cell: (row: DatabaseRow) => row.days_to_full?.toLocaleString(language) ?? '–',
    },
    {
      label: t.backlog,
      cell: ({ backlog }: DatabaseRow) => backlog?.toLocaleString(language) ?? '?',
    },
    {
      label: t.newStores,
      cell: ({ shard, state, open, stores }: DatabaseRow) => (
        <>
          {open ? t.open : t.closed}
          {state === 'ok' && stores > 0 && (
            <>
              <br />
              <a class="target" href={operatorPaths.drain(shard)}>
                {actions.drainShard.link}
                <span class="visually-hidden"> {shard}</span>
              </a>
            </>
          )}
        </>
      ),
    },
  ];
}
