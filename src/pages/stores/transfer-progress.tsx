import { minuteMs } from '../../base/durations.ts';
import { forecastOf, type RankedTransfer } from '../../catalog/transfers/transfer-forecast.ts';
import { isFinished, type Transfer } from '../../catalog/transfers/transfer-job.ts';
import type { TableColumn } from '../../web/components/data-table.tsx';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';

const tones: Readonly<Record<Transfer['state'], Tone>> = {
  waiting: 'neutral',
  running: 'neutral',
  paused: 'neutral',
  done: 'good',
  cancelled: 'neutral',
  failed: 'danger',
};

/** The state of an import or an export; one that is done with errors asks for a look. */
const TransferState = ({ page, found }: { page: SignedInPage; found: Transfer }) => {
  const { state, failed } = found;
  const tone = state === 'done' && failed > 0 ? 'warn' : tones[state];
  return <StateBadge tone={tone} text={page.messages.transfers.imports.states[state]} />;
};

/** The columns of a list of imports or exports that both have. */
export function transferColumns(
  page: SignedInPage,
  pathOf: (id: number) => string,
): TableColumn<Transfer>[] {
  const t = page.messages.transfers.imports;
  const { language } = page;
  return [
    {
      label: t.begun,
      cell: ({ id, created_at: at }) => (
        <a href={pathOf(id)}>
          <FormattedTime {...{ language, at }} zone={page.store.zone} />
        </a>
      ),
    },
    {
      label: t.state,
      cell: (found) => <TransferState {...{ page, found }} />,
    },
    { label: t.progress, cell: (found) => <Lines {...{ page, found }} /> },
  ];
}

const Lines = ({ page, found }: { page: SignedInPage; found: Transfer }) => (
  <Interpolate
    text={page.messages.transfers.imports.lines}
    parts={{
      done: found.done.toLocaleString(page.language),
      total: found.total.toLocaleString(page.language),
    }}
  />
);

const refreshSeconds = 5;

/**
 * After how many seconds the page of an import or an export shows itself again; not once it has
 * ended, or by choice.
 */
export const refreshOf = (page: SignedInPage, found: Transfer) =>
  isFinished(found) || page.query('reload') === 'no' ? undefined : refreshSeconds;

/**
 * How far an import or an export is, how fast, and what it waits for. `behind` says that it waits
 * for earlier ones.
 */
export const TransferProgress = ({
  page,
  found,
  behind,
}: {
  page: SignedInPage;
  found: RankedTransfer;
  behind: string;
}) => {
  const t = page.messages.transfers.imports;
  const { language, now, store } = page;
  const { reason, done, total } = found;
  const isOpen = !isFinished(found);
  const forecast = forecastOf(found, now);
  const { waits_for: wait, waits_since: since, per_second: rate, seconds_left: left } = forecast;
  const waits = { ...t.waits, earlier: behind, event_budget: t.reasons.event_budget };
  return (
    <>
      <p>
        <TransferState {...{ page, found }} /> <Lines {...{ page, found }} />
        {rate !== null && <>, {t.rate.replace('{rate}', rate.toLocaleString(language))}</>}
        {left !== null && (
          <>, {t.left.replace('{minutes}', String(Math.ceil((left * 1_000) / minuteMs)))}</>
        )}
      </p>
      {isOpen && <progress value={done} max={Math.max(total, 1)} aria-label={t.progress} />}
      {reason !== null && !isOpen && <p>{t.reasons[reason]}</p>}
      {wait !== null && since !== null && (
        <p>
          {waits[wait]}{' '}
          <span class="muted">
            <Interpolate
              text={t.since}
              parts={{ time: <FormattedTime {...{ language, at: since }} zone={store.zone} /> }}
            />
          </span>
        </p>
      )}
      {refreshOf(page, found) !== undefined && (
        <p class="muted">
          {t.reload.replace('{seconds}', String(refreshSeconds))}{' '}
          <a class="target" href="?reload=no">
            {t.reloadStop}
          </a>
        </p>
      )}
    </>
  );
};
