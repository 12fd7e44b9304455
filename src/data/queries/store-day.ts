import { selectStanding } from '../core/event-budget.ts';
import { rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import { selectSoldLines, sumSales, type SalesPeriod } from './sales.ts';

/** The bytes of events and stored responses that a store has recorded today (UTC), and of how many. */
export interface EventStanding {
  bytes: number;
  budget: number;
}

/**
 * Finds the sales of a period, which are `undefined` if there are too many, and what a store has used of its event budget.
 * `budget` is that of the service. One round trip.
 */
export async function findSalesAndEvents(db: StoreDb, period: SalesPeriod, budget: number) {
  const [lines, [standing]] = await db.batch([
    selectSoldLines(db, period),
    rawStatement<{ today: number | null; quota: number }>(db, selectStanding(db, budget)),
  ]);
  const events: EventStanding = {
    bytes: standing?.today ?? 0,
    budget: standing?.quota ?? budget,
  };
  return { sales: sumSales(db, period, lines), events };
}
