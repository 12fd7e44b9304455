import { daysAfter, parseDayRange, toLocalTime } from '../../base/codecs/fields/local-time.ts';
import { formatMoney, type Language } from '../../base/languages.ts';
import { findSalesAndEvents } from '../../data/queries/store-day.ts';
import { BarChart, labelDays } from '../../web/components/bar-chart.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { openStore } from '../webhooks/own-webhook.ts';

const days = 30;

type SalesOfDay = NonNullable<Awaited<ReturnType<typeof loadFigures>>['sales']>[number];

/**
 * Sums up the sales of the last 30 days, and the events of today. Sales are `undefined` if there are too many for a page, and
 * both if the shard does not answer. One round trip.
 */
export async function loadFigures(page: SignedInPage) {
  const { store, now } = page;
  const { db } = openStore(page);
  const to = toLocalTime(now, store.zone).day;
  const from = daysAfter(to, 1 - days);
  const range = parseDayRange(from, to, store.zone);
  if (!range) return {};
  const period = { from, to, range };
  const { eventBudget } = page.action.settings;
  const found = await findSalesAndEvents(db, period, eventBudget).catch(() => undefined);
  return { sales: found?.sales?.days, events: found?.events };
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
  const label = labelDays(language);
  const barsOf = (value: (one: SalesOfDay) => number) =>
    sales.map((one) => ({ ...label(one.date), values: [value(one)] }));
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
        format={(cents) => formatMoney(cents, language)}
        language={language}
      />
    </div>
  );
};
