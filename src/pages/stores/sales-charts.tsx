import { daysAfter, parseDayRange, toLocalTime } from '../../base/codecs/fields/local-time.ts';
import { formatMoney } from '../../base/languages.ts';
import { storePaths } from '../../base/page-paths.ts';
import { findStoreDay } from '../../stores/store-day.ts';
import { BarChart, labelDays } from '../../web/components/bar-chart.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { RelativeTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { openOwnStore } from '../open-own-store.ts';
import { timeFormatOf } from '../webhooks/webhook-texts.tsx';

const days = 30;

type StoreDay = NonNullable<Awaited<ReturnType<typeof loadFigures>>>;

type SalesOfDay = NonNullable<StoreDay['sales']>[number];

/**
 * Sums up the sales of the last 30 days, with the latest orders, the lowest stocks and the events
 * of today. Sales are `undefined` if there are too many for a page, and all of it if the shard does
 * not answer. One round trip.
 */
export async function loadFigures(page: SignedInPage) {
  const { store, now } = page;
  const { db } = openOwnStore(page);
  const to = toLocalTime(now, store.zone).day;
  const from = daysAfter(to, 1 - days);
  const range = parseDayRange(from, to, store.zone);
  if (!range) return undefined;
  const period = { from, to, range };
  const { eventBudget } = page.action.settings;
  const found = await findStoreDay(db, period, eventBudget).catch(() => undefined);
  return found && { ...found, sales: found.sales?.days };
}

/** Paid orders and their revenue, a bar a day. Only the former without a sale. */
export const SalesCharts = ({
  page: { language, messages, store },
  sales,
}: {
  page: SignedInPage;
  sales: readonly SalesOfDay[];
}) => {
  const { stores, transfers } = messages;
  const t = stores.sales;
  const empty = {
    text: t.none,
    link: { href: storePaths.imports(store.alias), text: transfers.imports.title },
  };
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
        {...{ empty, language }}
      />
      {sales.some(({ orders }) => orders > 0) && (
        <BarChart
          title={t.revenue}
          unit={t.date}
          series={[{ name: t.total, tone: 'main' }]}
          bars={barsOf(({ revenue }) => revenue)}
          format={(cents) => formatMoney(cents, language)}
          {...{ empty, language }}
        />
      )}
    </div>
  );
};

/** The latest orders, and what is about to run out, beside each other. */
export const OrdersAndStock = ({
  page,
  day: { latest, low },
}: {
  page: SignedInPage;
  day: StoreDay;
}) => {
  const { language, messages } = page;
  const t = messages.stores.today;
  return (
    <div class="charts">
      <div class="card">
        {latest.length === 0 ? (
          <>
            <h2>{t.orders}</h2>
            <p class="muted">{t.noOrders}</p>
          </>
        ) : (
          <DataTable
            caption={<h2>{t.orders}</h2>}
            columns={[
              { label: t.order, cell: ({ number }) => number },
              { label: t.status, cell: ({ status }) => t.statuses[status] },
              { label: t.total, cell: ({ total }) => formatMoney(total, language) },
              {
                label: t.at,
                cell: ({ createdAt }) => <RelativeTime {...timeFormatOf(page)} at={createdAt} />,
              },
            ]}
            rows={latest}
          />
        )}
      </div>
      {low.length > 0 && (
        <div class="card">
          <DataTable
            caption={<h2>{t.low}</h2>}
            columns={[
              {
                label: t.product,
                cell: ({ name, title }) => (
                  <bdi>
                    {title?.startsWith(name) ? title : [name, title].filter(Boolean).join(', ')}
                  </bdi>
                ),
              },
              { label: 'SKU', cell: ({ sku }) => <code>{sku}</code> },
              { label: t.available, cell: ({ available }) => available.toLocaleString(language) },
            ]}
            rows={low}
          />
        </div>
      )}
    </div>
  );
};
