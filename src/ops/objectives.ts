import * as z from 'zod';
import { daysAfter, listDays } from '../base/codecs/fields/local-time.ts';
import type { Settings } from '../base/settings.ts';

/** The time of an objective, in days of UTC. */
const days = 30;

const timeoutMs = 5_000;

/** Data centres that a page shows, the worst first. */
const maxPlaces = 10;

/**
 * An objective: `mayBeBad` is the share of bad ones that it allows. `bad` and `all` are sums over
 * the data points of `points` (OPERATIONS.md: Data points). Each point stands for
 * `_sample_interval` points.
 */
const objectives = {
  /** Requests that are no 5xx. */
  available: {
    mayBeBad: 0.001,
    points: "index1 = 'request'",
    bad: 'sum(_sample_interval * if(double1 >= 500, double5, 0))',
    all: 'sum(_sample_interval * double5)',
  },
  /** Reads that take less than 300 ms. */
  fast: {
    mayBeBad: 0.05,
    points: "index1 = 'request' AND blob6 = 'GET'",
    bad: 'sum(_sample_interval * if(double4 >= 300, double5, 0))',
    all: 'sum(_sample_interval * double5)',
  },
  /** Sweeps that find no delivery that has been due for 30 s. */
  prompt: {
    mayBeBad: 0.01,
    points: "index1 = 'sweep'",
    bad: 'sum(_sample_interval * if(double2 >= 30000, 1, 0))',
    all: 'sum(_sample_interval)',
  },
} as const;

export type ObjectiveName = keyof typeof objectives;

const objectiveNames = ['available', 'fast', 'prompt'] as const satisfies readonly ObjectiveName[];

/** The API of Analytics Engine writes whole numbers as texts. */
const count = z.coerce.number().nonnegative();

const DayRows = z.object({
  data: z.array(z.object({ day: z.string().regex(/^\d{4}-\d\d-\d\d/), bad: count, total: count })),
});

const PlaceRows = z.object({
  data: z.array(z.object({ place: z.string(), bad: count, total: count })),
});

export type Objective = Awaited<ReturnType<typeof readObjective>>;

/**
 * Reads the objectives of the last 30 days from Analytics Engine; `undefined` if the settings name
 * none. Four queries at once. Throws if one fails.
 */
export async function readObjectives({ metrics }: Pick<Settings, 'metrics'>, now: number) {
  if (!metrics) return undefined;
  const ask = async (query: string): Promise<unknown> => {
    const response = await fetch(metrics.url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${metrics.token}` },
      body: query,
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`Analytics Engine responded with ${response.status}`);
    return response.json();
  };
  const source = { ask, from: `FROM ${metrics.dataset}`, now };
  const [all, places] = await Promise.all([
    Promise.all(objectiveNames.map((name) => readObjective(name, source))),
    readPlaces(source),
  ]);
  return { objectives: all, places };
}

interface Source {
  ask: (query: string) => Promise<unknown>;
  from: string;
  now: number;
}

const isRecent = `timestamp > now() - INTERVAL '${days}' DAY`;

async function readObjective(name: ObjectiveName, { ask, from, now }: Source) {
  const { points, bad, all, mayBeBad } = objectives[name];
  const { data } = DayRows.parse(
    await ask(
      `SELECT toStartOfInterval(timestamp, INTERVAL '1' DAY) AS day, ${bad} AS bad, ${all} AS total ` +
        `${from} WHERE ${points} AND ${isRecent} GROUP BY day ORDER BY day`,
    ),
  );
  const found = new Map(data.map(({ day, ...counts }) => [day.slice(0, 10), counts]));
  const today = new Date(now).toISOString().slice(0, 10);
  return {
    name,
    mayBeBad,
    left: budgetLeft(data, mayBeBad),
    days: listDays(daysAfter(today, 1 - days), today).map((day) => ({
      day,
      bad: 0,
      total: 0,
      ...found.get(day),
    })),
  };
}

/** The data centres whose reads are slowest, with what is left of their budget. */
async function readPlaces({ ask, from }: Source) {
  const { points, bad, all, mayBeBad } = objectives.fast;
  const { data } = PlaceRows.parse(
    await ask(
      `SELECT blob5 AS place, ${bad} AS bad, ${all} AS total ${from} WHERE ${points} AND ${isRecent} ` +
        `GROUP BY place ORDER BY bad / total DESC LIMIT ${maxPlaces}`,
    ),
  );
  return data.map((row) => ({ ...row, left: budgetLeft([row], mayBeBad) }));
}

/**
 * Share of an error budget that is left: 1 if nothing was bad, 0 or less if it is used up; `null`
 * without a measurement.
 */
function budgetLeft(rows: readonly { bad: number; total: number }[], mayBeBad: number) {
  const [bad, total] = [sum(rows.map((row) => row.bad)), sum(rows.map((row) => row.total))];
  return total === 0 ? null : 1 - bad / total / mayBeBad;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
