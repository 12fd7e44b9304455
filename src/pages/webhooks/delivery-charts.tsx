import { daysAfter, listDays, toLocalTime } from '../../base/codecs/fields/local-time.ts';
import { dayMs, hourMs } from '../../base/durations.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { BarChart, type ChartSeries, labelDays, sumBars } from '../../web/components/bar-chart.tsx';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { formatMilliseconds } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';
import type { DeliveriesOfHour, loadDeliveryHistory } from '../../webhooks/log/stats.ts';
import type { TimeFormat } from './webhook-texts.tsx';

type History = NonNullable<Awaited<ReturnType<typeof loadDeliveryHistory>>>;

const days = 30;

/**
 * The start of the time that the charts show, in epoch milliseconds. A day more, for the zone of
 * the store.
 */
export const chartsBegin = (now: number) => now - (days + 1) * dayMs;

const waitingStates: ReadonlySet<number> = new Set([DeliveryState.open, DeliveryState.held]);

/** The part of a bar that counts these deliveries, in the order of the series. */
const partOf = ({ state, has_failed: hasFailed }: DeliveriesOfHour): number =>
  state === DeliveryState.delivered ? 0 : hasFailed === 1 || !waitingStates.has(state) ? 1 : 2;

const countParts = (hours: readonly DeliveriesOfHour[]): number[] =>
  [0, 1, 2].map((part) =>
    hours.reduce((sum, one) => sum + (partOf(one) === part ? one.count : 0), 0),
  );

/**
 * Deliveries of the last 24 hours and of the last 30 days, and how fast the receiver responds.
 * Nothing without any.
 */
export const DeliveryCharts = ({
  history: { hours, durations },
  language,
  zone,
  now,
}: TimeFormat & { history: History }) => {
  if (hours.length === 0) return null;
  const t = messagesFor(language).deliveries.charts;
  const series: ChartSeries[] = [
    { name: t.delivered, tone: 'main' },
    { name: t.failed, tone: 'bad' },
    { name: t.waiting, tone: 'quiet' },
  ];
  const show = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
  const [hour, exactHour] = [
    show({ hour: 'numeric' }),
    show({ dateStyle: 'medium', timeStyle: 'short' }),
  ];
  const byHour = Map.groupBy(hours, (one) => one.hour);
  const lastHour = now - (now % hourMs);
  const hourBars = Array.from({ length: 48 }, (_, index) => {
    const at = lastHour - (47 - index) * hourMs;
    const [label, title] = [hour.format(at), exactHour.format(at)];
    return { label, title, values: countParts(byHour.get(at) ?? []) };
  });
  const dayBefore = sumBars(hourBars.splice(0, 24));
  const empty = { text: t.none };
  const byDay = Map.groupBy(hours, (one) => toLocalTime(one.hour, zone).day);
  const today = toLocalTime(now, zone).day;
  const labelDay = labelDays(language);
  const dayBars = listDays(daysAfter(today, 1 - days), today).map((day) => ({
    ...labelDay(day),
    values: countParts(byDay.get(day) ?? []),
  }));
  return (
    <>
      <div class="charts">
        <BarChart
          title={t.day}
          unit={t.hour}
          bars={hourBars}
          {...{ dayBefore, empty, series, language }}
        />
        <BarChart title={t.month} unit={t.date} bars={dayBars} {...{ empty, series, language }} />
      </div>
      {durations.p50 !== null && durations.p95 !== null && (
        <p class="muted">
          <Interpolate
            text={t.speed}
            parts={{
              p50: formatMilliseconds(durations.p50, language),
              p95: formatMilliseconds(durations.p95, language),
            }}
          />
        </p>
      )}
    </>
  );
};
