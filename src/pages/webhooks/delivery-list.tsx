import type { Language } from '../../base/languages.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { RelativeTime, formatMilliseconds } from '../../web/components/time.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import {
  NextAttemptText,
  describeEvent,
  formatResult,
  type NextAttempt,
  type TimeFormat,
} from './webhook-texts.tsx';

/** The states that the log can be filtered by. */
export const deliveryFilters = ['failed', 'gaveUp', 'held'] as const;

export type DeliveryFilter = (typeof deliveryFilters)[number];

/** Links that filter the log by state. */
export const DeliveryFilterNav = ({
  current,
  hrefOf,
  language,
}: {
  current: DeliveryFilter | undefined;
  hrefOf: (filter: DeliveryFilter | undefined) => string;
  language: Language;
}) => {
  const { filter: label, filters } = messagesFor(language).deliveries;
  return (
    <nav class="filters" aria-label={label}>
      {[undefined, ...deliveryFilters].map((filter) => (
        <a href={hrefOf(filter)} aria-current={filter === current ? 'page' : undefined}>
          {filters[filter ?? 'all']}
        </a>
      ))}
    </nav>
  );
};

export type DeliveryStateName = keyof Messages['deliveries']['states'];

const tones: Readonly<Record<DeliveryStateName, Tone>> = {
  open: 'neutral',
  waiting: 'neutral',
  retrying: 'warn',
  delivered: 'good',
  gaveUp: 'danger',
  held: 'warn',
  cancelled: 'neutral',
};

/** The state of a delivery; of one that waits for its next attempt with the time of it. */
export const DeliveryStateText = ({
  delivery: { state, nextAttemptAt: at },
  ...format
}: TimeFormat & { delivery: Pick<DeliveryView, 'state' | 'nextAttemptAt'> }) => {
  const { states, nextTry, nextTrySoon } = messagesFor(format.language).deliveries;
  const badge = <StateBadge tone={tones[state]} text={states[state]} />;
  if (at === null || !waitsForAttempt(state)) return badge;
  if (at === 'soon') return <>{[badge, `, ${nextTrySoon}`]}</>;
  const when = <RelativeTime {...format} at={at} />;
  return <>{[badge, ', ', <Interpolate text={nextTry} parts={{ when }} />]}</>;
};

/** Whether a delivery waits for an attempt, whose time its state then says. */
export const waitsForAttempt = (state: DeliveryStateName) =>
  state === 'retrying' || state === 'waiting';

/** A delivery of the log. Times are epoch milliseconds. */
export interface DeliveryView {
  seq: number;
  /** Name of the event; `null` if the event is no longer stored. */
  event: string | null;
  state: DeliveryStateName;
  attempts: number;
  responseStatus: number | null;
  error: string | null;
  durationMs: number | null;
  createdAt: number;
  nextAttemptAt: NextAttempt | null;
  /** Number of the delivery that this one replays. */
  replayOf: number | null;
}

export type DeliveryListItem = DeliveryView & { href: string };

/** A page of the delivery log. */
export const DeliveryList = ({
  deliveries,
  ...format
}: TimeFormat & { deliveries: readonly DeliveryListItem[] }) => {
  const t = messagesFor(format.language).deliveries;
  return (
    <table>
      <caption>{t.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t.delivery}</th>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.response}</th>
          <th scope="col">{t.duration}</th>
          <th scope="col">{t.attempts}</th>
          <th scope="col">{t.at}</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow delivery={delivery} {...format} />
        ))}
      </tbody>
    </table>
  );
};

const DeliveryRow = ({ delivery, ...format }: TimeFormat & { delivery: DeliveryListItem }) => {
  const { language } = format;
  const t = messagesFor(language).deliveries;
  const { responseStatus, error, durationMs, nextAttemptAt, attempts } = delivery;
  const isAttempted = responseStatus !== null || error !== null;
  return (
    <tr>
      <th scope="row">
        <a href={delivery.href}>
          {delivery.seq} · {describeEvent(delivery.event, language)}
        </a>
      </th>
      <td data-label={t.state}>
        <DeliveryStateText {...{ delivery }} {...format} />
      </td>
      <td data-label={t.response}>
        {isAttempted ? formatResult({ status: responseStatus, error }, language) : '–'}
      </td>
      <td data-label={t.duration}>
        {durationMs === null ? '–' : formatMilliseconds(durationMs, language)}
      </td>
      <td data-label={t.attempts}>{attempts.toLocaleString(language)}</td>
      <td data-label={t.at}>
        <RelativeTime {...format} at={delivery.createdAt} />
        {nextAttemptAt !== null && !waitsForAttempt(delivery.state) && (
          <span class="muted next">
            {t.nextAttempt}: <NextAttemptText {...format} at={nextAttemptAt} />
          </span>
        )}
      </td>
    </tr>
  );
};
