import { describe, expect, it } from 'vitest';
import { healthAfter, type Health, type LaneResult } from '../../src/events/lane-health.ts';
import { sendable } from '../../src/events/lane-probe.ts';

const now = 10_000_000;
const well: Health = {
  failStreak: 0,
  failCount: 0,
  firstFailAt: null,
  lastOkAt: null,
  latencyMs: 100,
  backoffUntil: null,
  goneAt: null,
};
const ill = { ...well, failStreak: 3, failCount: 3, firstFailAt: 500 };
const result = {
  now,
  durationMs: 100,
  retryAfterMs: null,
  holdsUp: false,
  isReplay: false,
  random: () => 0,
};

describe("a lane's health after one more result", () => {
  it.each<[string, Health, Partial<LaneResult> & Pick<LaneResult, 'outcome'>, Partial<Health>]>([
    ['a success clears everything', ill, { outcome: 'delivered' }, { ...well, lastOkAt: now }],
    [
      'a success beside a failure of the same drain clears nothing',
      { ...ill, backoffUntil: now + 1 },
      { outcome: 'delivered' },
      { failStreak: 3, failCount: 3, firstFailAt: 500, lastOkAt: now, backoffUntil: now + 1 },
    ],
    [
      'the first failure backs off and is counted',
      well,
      { outcome: 'endpoint failure' },
      { failStreak: 1, failCount: 1, firstFailAt: now, backoffUntil: now + 5_000 },
    ],
    [
      'the fourth failure takes the fourth step',
      ill,
      { outcome: 'endpoint failure' },
      { failStreak: 4, failCount: 4, firstFailAt: 500, backoffUntil: now + 600_000 },
    ],
    [
      'failures side by side are one step',
      { ...ill, backoffUntil: now + 5 },
      { outcome: 'endpoint failure' },
      { failStreak: 3, failCount: 3, backoffUntil: now + 5 },
    ],
    [
      'slow down takes the step and blames nobody',
      well,
      { outcome: 'slow down' },
      { failStreak: 1, failCount: 0, firstFailAt: null, backoffUntil: now + 5_000 },
    ],
    [
      'slow down waits for as long as was asked when that is longer',
      well,
      { outcome: 'slow down', retryAfterMs: 120_000 },
      { backoffUntil: now + 120_000 },
    ],
    [
      'slow down waits for the step when that is longer',
      ill,
      { outcome: 'slow down', retryAfterMs: 120_000 },
      { backoffUntil: now + 600_000, failCount: 3, firstFailAt: 500 },
    ],
    [
      'slow down beside a failure makes the pause longer, not shorter',
      { ...ill, backoffUntil: now + 5 },
      { outcome: 'slow down', retryAfterMs: 9_000 },
      { failStreak: 3, backoffUntil: now + 9_000 },
    ],
    [
      'a refused payload opens the lane and forgives nothing',
      ill,
      { outcome: 'payload refused' },
      { failStreak: 0, failCount: 3, firstFailAt: 500, backoffUntil: null },
    ],
    [
      'a refused payload that holds up its lane backs off and blames nobody',
      well,
      { outcome: 'payload refused', holdsUp: true },
      { failStreak: 1, failCount: 0, firstFailAt: null, backoffUntil: now + 5_000 },
    ],
    [
      'gone stops the lane at once',
      well,
      { outcome: 'gone' },
      { goneAt: now - 100, backoffUntil: now },
    ],
    [
      'a failing replay backs off and blames nobody',
      well,
      { outcome: 'endpoint failure', isReplay: true },
      { failStreak: 1, failCount: 0, firstFailAt: null },
    ],
    ['our own loss says nothing of the endpoint', ill, { outcome: 'unsendable' }, ill],
    [
      'latency moves by a fifth',
      well,
      { outcome: 'delivered', durationMs: 5_100 },
      { latencyMs: 1_100 },
    ],
  ])('%s', (_name, health, more, expected) => {
    expect(healthAfter(health, { ...result, ...more })).toMatchObject(expected);
  });
});

describe('what a lane sends', () => {
  const delivery = (seq: number, attempts = 0) => ({
    seq,
    attempts,
    refusals: 0,
    eventId: `${seq}`,
    content: null,
    dueAt: 0,
    isReplay: false,
  });
  const due = [delivery(1, 2), delivery(2), delivery(3)];

  it.each([
    ['everything while it is well', due, 0, false, [1, 2, 3], undefined],
    ['the oldest on the first step', due, 1, false, [1], undefined],
    ['the newest on the next, with the oldest under suspicion', due, 2, false, [3], 1],
    ['the oldest again', due, 3, false, [1], undefined],
    [
      'the newest, without a suspicion of what was never tried',
      due.slice(1),
      2,
      false,
      [3],
      undefined,
    ],
    ['the only one', due.slice(0, 1), 2, false, [1], undefined],
    ['always the oldest when it is ordered', due, 2, true, [1], undefined],
    ['nothing of nothing', [], 2, false, [], undefined],
  ])('%s', (_name, list, failStreak, ordered, expected, suspect) => {
    const sent = sendable(list, { failStreak, ordered });
    expect(sent.deliveries.map(({ seq }) => seq)).toEqual(expected);
    expect(sent.suspect?.seq).toBe(suspect);
  });
});
