import type { Child } from 'hono/jsx';
import type { Language } from '../../base/languages.ts';
import { messagesFor } from '../texts/messages.ts';
import { DataTable } from './data-table.tsx';

/** A part of each bar. `tone` is its colour; the parts stand in the order of the series, the first at the bottom. */
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
  language: Language;
  /** Formats a value; a plain number without it. */
  format?: (value: number) => string;
  children?: Child;
}

// Units of the drawing, which is scaled to the width of its place.
const plot = { width: 440, height: 120, left: 6, top: 20 } as const;
const labels = { size: 13, height: 24 } as const;

/** How many bars stand between two labels. */
const labelStep = (count: number) => Math.max(1, Math.ceil(count / 6));

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * Stacked bars, drawn on the server as SVG, so that no script is needed. Its text alternative holds the totals, and the
 * table behind it every value.
 */
export const BarChart = ({
  title,
  unit,
  series,
  bars,
  language,
  format = (value) => value.toLocaleString(language),
  children,
}: BarChartProps) => {
  const t = messagesFor(language).common;
  const highest = Math.max(...bars.map(({ values }) => sum(values)), 0);
  const totals = series.map(({ name }, index) => ({
    name,
    total: sum(bars.map(({ values }) => values[index] ?? 0)),
  }));
  const text = totals.map(({ name, total }) => `${name}: ${format(total)}`).join(', ');
  const slot = plot.width / Math.max(bars.length, 1);
  const bottom = plot.top + plot.height;
  return (
    <figure class="chart card">
      <figcaption>
        <h2>{title}</h2>
        <ul class="legend">
          {totals.map(({ name, total }, index) => (
            <li>
              <span class={`key ${series[index]?.tone ?? ''}`} aria-hidden="true"></span> {name}{' '}
              <strong>{format(total)}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        viewBox={`0 0 ${plot.width + 2 * plot.left} ${bottom + labels.height}`}
        role="img"
        aria-label={`${title}. ${text}.`}
      >
        {[0, 0.5, 1].map((share) => (
          <line
            class="grid"
            x1={plot.left}
            x2={plot.left + plot.width}
            y1={bottom - share * plot.height}
            y2={bottom - share * plot.height}
          />
        ))}
        {highest > 0 && (
          <text x={plot.left} y={plot.top - 5} font-size={labels.size}>
            {format(highest)}
          </text>
        )}
        {bars.map((bar, index) => (
          <Bar
            {...{ bar, series, highest, format }}
            left={plot.left + index * slot + slot * 0.15}
            width={slot * 0.7}
          />
        ))}
        {bars.map(({ label }, index) =>
          index % labelStep(bars.length) === 0 ? (
            <text
              class={(index / labelStep(bars.length)) % 2 === 1 ? 'more' : undefined}
              x={plot.left + index * slot}
              y={bottom + 16}
              font-size={labels.size}
            >
              {label}
            </text>
          ) : null,
        )}
      </svg>
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

const Bar = ({
  bar: { title, values },
  series,
  highest,
  left,
  width,
  format,
}: {
  bar: ChartBar;
  series: readonly ChartSeries[];
  highest: number;
  left: number;
  width: number;
  format: (value: number) => string;
}) => {
  if (sum(values) === 0) return null;
  const heights = values.map((value) => (value / highest) * plot.height);
  const texts = series.map(({ name }, index) => `${name} ${format(values[index] ?? 0)}`);
  return (
    <g>
      <title>{`${title}: ${texts.join(', ')}`}</title>
      {heights.map((height, index) => {
        const below = sum(heights.slice(0, index));
        return height === 0 ? null : (
          <rect
            class={series[index]?.tone ?? ''}
            x={left.toFixed(1)}
            y={(plot.top + plot.height - below - height).toFixed(1)}
            width={width.toFixed(1)}
            height={Math.max(height, 1.5).toFixed(1)}
          />
        );
      })}
    </g>
  );
};
