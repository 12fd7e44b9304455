import { eq } from 'drizzle-orm';
import { pathNumber } from '../../base/codecs/fields/ids.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { formatMegabytes, type Language } from '../../base/languages.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import { listUnconfirmedErasures } from '../../data/directory/job-queries.ts';
import { shards } from '../../data/schema/directory/directory-tables.ts';
import { findServiceHealth } from '../../platform/service-health.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { FlashMessage, Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { doneOf } from './operator-actions.tsx';

/** `GET /operator`: the health of the service, and the waiting work. */
export async function showOperatorOverview(page: SignedInPage) {
  const fromShard = pathNumber.safeParse(page.query('from_shard')).data;
  const [health, erasures] = await Promise.all([
    findServiceHealth(page.env, page.directory, { now: page.now, fromShard }),
    listUnconfirmedErasures(page.directory, page.now),
  ]);
  return (
    <OverviewPage
      dashboard={page.dashboard('operator/overview')}
      version={health.version}
      findings={health.findings}
      erasures={erasures}
      mails={health.mail.waiting}
      jobs={health.jobs.open}
      areCopied={health.copies.configured}
      changes={health.changes}
      databases={health.shards.map(({ shard, open, ...database }) => ({
        ...database,
        number: shard,
        isOpen: open,
        drainHref:
          database.state === 'ok' && database.stores > 0 ? operatorPaths.drain(shard) : undefined,
      }))}
      nextShard={health.next_shard}
      done={doneOf(page)}
    />
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

/** A database of stores. */
interface DatabaseRow {
  number: number;
  state: keyof Messages['operator']['overview']['states'];
  isOpen: boolean;
  stores: number;
  bytes: number;
  /** `null` if it does not grow. */
  days_to_full: number | null;
  /** `null` if it does not answer. */
  backlog: number | null;
  drainHref: string | undefined;
}

/** A long change of a release. */
interface ChangeRow {
  name: string;
  finished: number;
  /** Numbers of databases. */
  unfinished: readonly number[];
  failing: readonly number[];
  rows: number;
}

interface OverviewPageProps {
  dashboard: DashboardProps;
  version: string;
  findings: readonly { kind: keyof Messages['operator']['overview']['findings']; number: number }[];
  /** Stores whose erasure waits for a second operator. */
  erasures: Awaited<ReturnType<typeof listUnconfirmedErasures>>;
  mails: number;
  jobs: number;
  /** Whether there are copies outside the account. */
  areCopied: boolean;
  changes: readonly ChangeRow[];
  databases: readonly DatabaseRow[];
  /** The first database that this page leaves out. */
  nextShard: number | null;
  done: string | undefined;
}

/** The health of the service, and the waiting work. */
const OverviewPage = ({
  dashboard,
  findings,
  erasures,
  databases,
  changes,
  ...props
}: OverviewPageProps) => {
  const { language } = dashboard.layout;
  const { overview: t, stores, objectives } = messagesFor(language).operator;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={props.done} />
      {findings.length + erasures.length === 0 ? (
        <p>
          <StateBadge tone="good" text={t.good} /> {t.goodLead}
        </p>
      ) : (
        <>
          <p>
            <StateBadge tone="warn" text={t.attention} />
          </p>
          <ul>
            {findings.map(({ kind, number }) => (
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
        <dd>{props.mails.toLocaleString(language)}</dd>
        <dt>{t.jobs}</dt>
        <dd>{props.jobs.toLocaleString(language)}</dd>
        <dt>{t.copies}</dt>
        <dd>{props.areCopied ? t.copied : t.noCopies}</dd>
        <dt>{t.version}</dt>
        <dd>
          <code>{props.version}</code>
        </dd>
      </dl>
      <p class="actions">
        <a class="button plain" href={operatorPaths.objectives}>
          {objectives.title}
        </a>
      </p>
      <DataTable caption={t.databases} columns={columns(language)} rows={databases} />
      {props.nextShard !== null && (
        <p class="actions">
          <a
            class="button plain"
            href={`${operatorPaths.overview}?from_shard=${props.nextShard}`}
            rel="next"
          >
            {t.moreDatabases}
          </a>
        </p>
      )}
      {changes.length > 0 && (
        <DataTable caption={t.changes} columns={changeColumns(language)} rows={changes} />
      )}
    </DashboardLayout>
  );
};

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
      cell: ({ number }: DatabaseRow) => (
        <>
          <span class="in-card">{t.number} </span>
          {number}
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
      cell: ({ isOpen, drainHref, number }: DatabaseRow) => (
        <>
          {isOpen ? t.open : t.closed}
          {drainHref !== undefined && (
            <>
              <br />
              <a class="target" href={drainHref}>
                {actions.drainShard.link}
                <span class="visually-hidden"> {number}</span>
              </a>
            </>
          )}
        </>
      ),
    },
  ];
}
