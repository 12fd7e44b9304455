import { describe, expect, it } from 'vitest';
import { deliveryAfter } from '../../src/events/delivery-after.ts';
import type { Outcome } from '../../src/events/outcome.ts';

const [open, delivered, gaveUp] = [0, 1, 2];
const now = 1_000_000;
const none = () => 0;

interface Given {
  attempts?: number;
  refusals?: number;
  dueAt?: number;
  isReplay?: boolean;
  ordered?: boolean;
  isWell?: boolean;
}

describe('a delivery after one more try', () => {
  it.each<[string, Outcome, Given, object]>([
    ['that arrived is over', 'delivered', {}, { state: delivered, attempts: 1 }],
    [
      'that failed waits for its lane',
      'endpoint failure',
      {},
      { state: open, attempts: 1, dueAt: 0 },
    ],
    ['that was put off waits for its lane', 'slow down', {}, { state: open, dueAt: 0 }],
    ['at an endpoint that is gone stays open, to be held', 'gone', {}, { state: open, dueAt: 0 }],
    ['without a body is over', 'unsendable', {}, { state: gaveUp }],
    [
      'that was refused waits by itself',
      'payload refused',
      {},
      { state: open, dueAt: now + 5_000 },
    ],
    [
      'refused again waits the next step',
      'payload refused',
      { attempts: 9, refusals: 2 },
      { attempts: 10, refusals: 3, dueAt: now + 120_000 },
    ],
    [
      'with a schedule of its own keeps to it when it fails',
      'endpoint failure',
      { attempts: 9, refusals: 3, dueAt: 1 },
      { state: open, attempts: 10, refusals: 4, dueAt: now + 600_000 },
    ],
    [
      'refused in order holds up its lane',
      'payload refused',
      { ordered: true },
      { state: open, dueAt: 0 },
    ],
    [
      'refused in order a third time is over',
      'payload refused',
      { ordered: true, attempts: 5, refusals: 2 },
      { state: gaveUp, attempts: 6, refusals: 3 },
    ],
    [
      'is never over because its endpoint is down',
      'endpoint failure',
      { attempts: 500 },
      { state: open, attempts: 501, refusals: 0 },
    ],
    [
      'by its own schedule is not either while nothing else arrives',
      'endpoint failure',
      { refusals: 14, dueAt: 1, isWell: false },
      { state: open, refusals: 14, dueAt: now + 12 * 3_600_000 },
    ],
    [
      'by its own schedule is over after 15 failures beside others that arrive',
      'endpoint failure',
      { refusals: 14, dueAt: 1 },
      { state: gaveUp, refusals: 15 },
    ],
    ['is not over after 14 refusals', 'payload refused', { refusals: 13 }, { state: open }],
    ['is over after the 15th', 'payload refused', { refusals: 14 }, { state: gaveUp }],
    ['put off for ever is not over', 'slow down', { attempts: 99 }, { state: open, refusals: 0 }],
    [
      'that is a replay is over after 15 tries, whatever failed',
      'slow down',
      { refusals: 14, isReplay: true },
      { state: gaveUp, refusals: 15 },
    ],
  ])('%s', (_name, outcome, { ordered = false, isWell = true, ...given }, expected) => {
    const delivery = { attempts: 0, refusals: 0, dueAt: 0, isReplay: false, ...given };
    const after = deliveryAfter(delivery, outcome, { now, random: none, ordered, isWell });
    expect(after).toMatchObject(expected);
  });
});
