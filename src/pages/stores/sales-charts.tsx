import { dayMs } from '../../base/durations.ts';
import type { Language } from '../../base/languages.ts';
import { loadSoldLines } from '../../data/queries/sales.ts';
import { BarChart } from '../../web/components/bar-chart.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { openStore } from '../webhooks/own-webhook.ts';

const days = 30;

/** Orders and revenue of a day in the zone of the store; `day` is midnight of this date in UTC. */
interface SalesOfDay {
  day: number;
  orders: number;
  /** In cents. */
  revenue: number;
}

/** Sums up the sales of the last 30 days; `undefined` if there are too many for a page, or the shard does not answer. */
export async function loadSales(page: SignedInPage): Promise<SalesOfDay[] | undefined> {
  const { store, now } = page;
  const { db } = openStore(page);
  // A day more, for the zone of the store.
  const period = { from: now - (days + 1) * dayMs, until: now + 1 };
  const lines = await loadSoldLines(db, period).catch(() => undefined);
  if (!lines) return undefined;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: store.zone });
  const dayOf = (at: number) => Date.parse(format.format(at));
  // An order has several lines, each with the total of the order.
  const sold = new Map(lines.filter((line) => line.is_sold).map((line) => [line.order_id, line]));
  const byDay = Map.groupBy(sold.values(), ({ created_at: at }) => dayOf(at));
  const today = dayOf(now);
  return Array.from({ length: days }, (_, index) => {
    const day = today - (days - 1 - index) * dayMs;
    const orders = byDay.get(day) ?? [];
    return {
      day,
      orders: orders.length,
      revenue: orders.reduce((sum, { order_total: total }) => sum + total, 0),
    };
  });
}

/** Paid orders and their revenue, a bar a day. Nothing without a sale. */
export const SalesCharts = ({
  sales,
  language,
}: {
  sales: readonly SalesOfDay[];
  language: Language;
}) => {
  if (sales.every(({ orders }) => orders === 0)) return null;
  const t = messagesFor(language).stores.sales;
  const show = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  const [label, title] = [show({ day: 'numeric', month: 'short' }), show({ dateStyle: 'long' })];
  const money = new Intl.NumberFormat(language, { minimumFractionDigits: 2 });
  const barsOf = (value: (one: SalesOfDay) => number) =>
    sales.map((one) => ({
      label: label.format(one.day),
      title: title.format(one.day),
      values: [value(one)],
    }));
  return (
    <div class="charts">
      <BarChart
        title={t.orders}
        unit={t.date}
        series={[{ name: t.paidOrders, tone: 'main' }]}
        bars={barsOf(({ orders }) => orders)}
        language={language}
      />
      <BarChart
        title={t.revenue}
        unit={t.date}
        series={[{ name: t.total, tone: 'main' }]}
        bars={barsOf(({ revenue }) => revenue)}
        format={(cents) => money.format(cents / 100)}
        language={language}
      />
    </div>
  );
};
