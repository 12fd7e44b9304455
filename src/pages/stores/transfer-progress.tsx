import { minuteMs } from '../../base/durations.ts';
import { isFinished, type Transfer } from '../../commerce/transfers/transfer-job.ts';
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
      cell: ({ state }) => <StateBadge tone={tones[state]} text={t.states[state]} />,
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

/** How far an import or an export is, and why it does not go on. `behind` says that it waits for earlier ones. */
export const TransferProgress = ({
  page,
  found,
  behind,
}: {
  page: SignedInPage;
  found: Transfer;
  behind: string;
}) => {
  const t = page.messages.transfers.imports;
  const { state, reason, done, total } = found;
  const isOpen = !isFinished(found);
  const minutes = isOpen && done > 0 ? minutesLeft(found, page.now) : undefined;
  return (
    <>
      <p>
        <StateBadge tone={tones[state]} text={t.states[state]} /> <Lines {...{ page, found }} />
        {minutes !== undefined && <>, {t.left.replace('{minutes}', String(minutes))}</>}
      </p>
      {isOpen && <progress value={done} max={Math.max(total, 1)} aria-label={t.progress} />}
      {reason !== null && <p>{t.reasons[reason]}</p>}
      {state === 'waiting' && <p>{behind}</p>}
      {isOpen && <p class="muted">{t.reload}</p>}
    </>
  );
};

/** Minutes that a transfer still takes if it goes on as until now; at least one. */
const minutesLeft = ({ created_at: begun, done, total }: Transfer, now: number) =>
  Math.max(1, Math.ceil(((now - begun) / done) * ((total - done) / minuteMs)));
