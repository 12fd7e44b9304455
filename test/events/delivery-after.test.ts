import { describe, expect, it } from 'vitest';
import { deliveryAfter } from '../../src/events/delivery-after.ts';
import type { Outcome } from '../../src/events/outcome.ts';

const [open, delivered, gaveUp] = [0, 1, 2];
const now = 1_000_000;
const none = () => 0;

describe('a delivery after one more try', () => {
  it.each<[string, Outcome, { attempts?: number; dueAt?: number; ordered?: boolean }, object]>([
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
      { attempts: 2 },
      { dueAt: now + 120_000 },
    ],
    [
      'with a schedule of its own keeps to it when it fails',
      'endpoint failure',
      { attempts: 3, dueAt: 1 },
      { state: open, attempts: 4, dueAt: now + 600_000 },
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
      { ordered: true, attempts: 2 },
      { state: gaveUp, attempts: 3 },
    ],
    ['is tried a 15th time', 'endpoint failure', { attempts: 13 }, { state: open, attempts: 14 }],
    [
      'is over after the 15th',
      'endpoint failure',
      { attempts: 14 },
      { state: gaveUp, attempts: 15 },
    ],
    ['is over after the 15th refusal', 'payload refused', { attempts: 14 }, { state: gaveUp }],
  ])('%s', (_name, outcome, { attempts = 0, dueAt = 0, ordered = false }, expected) => {
    const after = deliveryAfter({ attempts, dueAt }, outcome, { now, random: none, ordered });
    expect(after).toMatchObject(expected);
  });
});
