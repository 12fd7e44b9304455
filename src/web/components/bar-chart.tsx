import type { Child } from 'hono/jsx';
import type { Language } from '../../base/languages.ts';
import { messagesFor } from '../texts/messages.ts';
import { DataTable } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';

/**
 * A part of each bar. `tone` is its colour; the parts stand in the order of the series, the first
 * at the bottom.
 */
export interface ChartSeries {
  name: string;
  tone: 'main' | 'bad' | 'quiet';
}

/** A bar, with one value for each series. */
export interface ChartBar {
  /** Shown below some of the bars. */
  label: string;
  /** Names the bar in the table and in its tooltip. */
  title: string;
  values: readonly number[];
}

/** Writes a day, `YYYY-MM-DD`, as the label and the title of its bar. */
export function labelDays(language: Language) {
  const show = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  const [label, title] = [show({ day: 'numeric', month: 'short' }), show({ dateStyle: 'long' })];
  return (day: string): Omit<ChartBar, 'values'> => {
    const at = Date.parse(day);
    return { label: label.format(at), title: title.format(at) };
  };
}

interface BarChartProps {
  title: string;
  /** Heading of the column that names the bars. */
  unit: string;
  series: readonly ChartSeries[];
  bars: readonly ChartBar[];
  /**
   * The sum of the bars of the day before. Without it, the last week of a chart of days is compared
   * with that before it.
   */
  dayBefore?: number | undefined;
  /** Stands in the place of bars: that there are none, and what to do. */
  empty: Parameters<typeof EmptyState>[0];
  language: Language;
  /** Formats a value; a plain number without it. */
  format?: (value: number) => string;
  children?: Child;
}

// Units of the drawing, which is stretched to its place: of a bar with what is free beside it, and
// of the height.
const [slot, free, height] = [10, 1.5, 100] as const;

/** How many labels stand below the bars. */
const labelCount = 6;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export const sumBars = (bars: readonly ChartBar[]) => sum(bars.flatMap(({ values }) => values));

/** The end of an axis that reaches `highest`: two steps that are a round number. */
function endOfAxis(highest: number): number {
  const half = Math.max(highest / 2, 1);
  const unit = 10 ** Math.floor(Math.log10(half));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5].find((factor) => factor * unit >= half) ?? 10;
  return 2 * Math.ceil(step * unit);
}

/**
 * Stacked bars, drawn on the server as SVG, so that no script is needed. Says the total and how it
 * compares with the time before. Its text alternative holds the totals, and the table behind it
 * every value.
 */
export const BarChart = ({
  title,
  unit,
  series,
  bars,
  dayBefore,
  empty,
  language,
  format = (value) => value.toLocaleString(language),
  children,
}: BarChartProps) => {
  const t = messagesFor(language).common;
  const total = sumBars(bars);
  if (total === 0)
    return (
      <section class="chart card">
        <h2>{title}</h2>
        {children}
        <EmptyState {...empty} />
      </section>
    );
  const end = endOfAxis(Math.max(...bars.map(({ values }) => sum(values))));
  const totals = series.map(({ name }, index) => ({
    name,
    total: format(sum(bars.map(({ values }) => values[index] ?? 0))),
  }));
  const text = totals.map((one) => `${one.name}: ${one.total}`).join(', ');
  const labelled = Math.ceil(bars.length / labelCount);
  return (
    <figure class="chart card">
      <figcaption>
        <h2>{title}</h2>
        <p>
          <strong class="total">{format(total)}</strong>{' '}
          <span class="muted next">{compare({ bars, dayBefore, language, format })}</span>
        </p>
        <ul class="legend">
          {totals.map((one, index) => (
            <li>
              <span class={`key ${series[index]?.tone ?? ''}`} aria-hidden="true"></span> {one.name}{' '}
              {totals.length > 1 && <strong>{one.total}</strong>}
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot">
        <div class="axis" aria-hidden="true">
          {[end, end / 2, 0].map((value) => (
            <span>{format(value)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${bars.length * slot} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}. ${text}.`}
        >
          {bars.map((bar, index) => (
            <Bar {...{ bar, series, end, format }} left={index * slot + free} />
          ))}
        </svg>
        <div class="labels" aria-hidden="true">
          {bars.map(({ label }, index) => index % labelled === 0 && <span>{label}</span>)}
        </div>
      </div>
      {children}
      <details>
        <summary>{t.asNumbers}</summary>
        <DataTable
          caption={title}
          columns={[
            { label: unit, cell: (bar: ChartBar) => bar.title },
            ...series.map(({ name }, index) => ({
              label: name,
              cell: ({ values }: ChartBar) => format(values[index] ?? 0),
            })),
          ]}
          rows={bars.filter(({ values }) => sum(values) > 0)}
        />
      </details>
    </figure>
  );
};

/**
 * Says how much more or less there was than in the time before: its share, or the number where no
 * share says anything.
 */
function compare({
  bars,
  dayBefore,
  language,
  format,
}: Required<Pick<BarChartProps, 'bars' | 'language' | 'format'>> &
  Pick<BarChartProps, 'dayBefore'>): string {
  const t = messagesFor(language).common.chart;
  const isDay = dayBefore !== undefined;
  const total = sumBars(isDay ? bars : bars.slice(-7));
  const before = isDay ? dayBefore : sumBars(bars.slice(-14, -7));
  const rise = Math.round((total / before - 1) * 100);
  const share = (Math.abs(rise) / 100).toLocaleString(language, { style: 'percent' });
  const kind = rise > 0 ? t.more : t.less;
  const change =
    total === before || rise === 0
      ? t.same
      : rise < 1_000
        ? kind.replace('{share}', share)
        : format(before);
  const sentence = isDay ? t.day : t.week;
  // Functions, since the sign of a currency has a meaning in a replacement.
  return sentence.replace('{total}', () => format(total)).replace('{change}', () => change);
}

const Bar = ({
  bar: { title, values },
  series,
  end,
  left,
  format,
}: Required<Pick<BarChartProps, 'series' | 'format'>> & {
  bar: ChartBar;
  end: number;
  left: number;
}) => {
  if (sum(values) === 0) return null;
  const heights = values.map((value) => (value / end) * height);
  const texts = series.map(({ name }, index) => `${name} ${format(values[index] ?? 0)}`);
  return (
    <g>
      <title>{`${title}: ${texts.join(', ')}`}</title>
      {heights.map((part, index) =>
        part === 0 ? null : (
          <rect
            class={series[index]?.tone ?? ''}
            x={left}
            y={(height - sum(heights.slice(0, index + 1))).toFixed(1)}
            width={slot - 2 * free}
            height={Math.max(part, 1).toFixed(1)}
          />
        ),
      )}
    </g>
  );
};
