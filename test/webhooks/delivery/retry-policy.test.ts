import { describe, expect, it } from 'vitest';
import {
  maxCountedFailures,
  retryDelaysMs,
  retryDelayAfter,
  updateDelivery,
} from '../../../src/webhooks/delivery/apply-result.ts';
import type { Outcome } from '../../../src/webhooks/delivery/outcome.ts';

describe('retryDelayAfter', () => {
  it('has 14 delays of about 75.7 hours in all, none longer than 12 hours', () => {
    const inSeconds = retryDelaysMs.map((step) => step / 1000);
    expect(inSeconds.slice(0, 5)).toEqual([5, 30, 120, 600, 1800]);
    expect(inSeconds.slice(5)).toEqual(
      [1, 2, 4, 8, 12, 12, 12, 12, 12].map((hours) => hours * 3600),
    );
    expect(inSeconds.reduce((sum, step) => sum + step) / 3600).toBeCloseTo(75.71, 1);
    expect(maxCountedFailures).toBe(15);
  });

  it('fault 40: is never too short and at most 20 % too long', () => {
    const ratios = Array.from({ length: 100_000 }, (_, draw) => {
      const failures = 1 + (draw % 14);
      return retryDelayAfter(failures, Math.random) / (retryDelaysMs[failures - 1] ?? 0);
    });
    expect(ratios.filter((ratio) => ratio < 1 || ratio > 1.2001)).toEqual([]);
  });

  it('fault 39: spreads the retries of endpoints that failed together', () => {
    for (const failures of [1, 5, 10]) {
      const [step, parts] = [retryDelaysMs[failures - 1] ?? 0, 10];
      const counts = Array<number>(parts).fill(0);
      for (let endpoint = 0; endpoint < 1_000; endpoint += 1) {
        const late = retryDelayAfter(failures, Math.random) - step;
        const part = Math.min(parts - 1, Math.floor((late * parts) / (step * 0.2)));
        counts[part] = (counts[part] ?? 0) + 1;
      }
      expect(Math.max(...counts)).toBeLessThan(2 * (1_000 / parts));
    }
  });

  it('repeats the last delay', () => {
    expect(retryDelayAfter(15, () => 0)).toBe(12 * 3_600_000);
    expect(retryDelayAfter(400, () => 0)).toBe(12 * 3_600_000);
    expect(retryDelayAfter(0, () => 0)).toBe(5_000);
  });
});

const [open, delivered, gaveUp] = [0, 1, 2];
const now = 1_000_000;
const noJitter = () => 0;

interface DeliveryInput {
  attempts?: number;
  countedFailures?: number;
  dueAt?: number;
  isReplay?: boolean;
  ordered?: boolean;
  isWell?: boolean;
}

describe('updateDelivery', () => {
  it.each<[string, Outcome, DeliveryInput, object]>([
    ['ends a delivery that succeeded', 'delivered', {}, { state: delivered, attempts: 1 }],
    [
      'leaves a failed delivery to the backoff of its endpoint',
      'endpoint_failure',
      {},
      { state: open, attempts: 1, dueAt: 0 },
    ],
    [
      'leaves a throttled delivery to the backoff of its endpoint',
      'throttled',
      {},
      { state: open, dueAt: 0 },
    ],
    [
      'keeps a delivery open at an endpoint that is gone, so that it is held',
      'gone',
      {},
      { state: open, dueAt: 0 },
    ],
    ['gives up a delivery without a body', 'unsendable', {}, { state: gaveUp }],
    [
      'gives a rejected delivery its own schedule',
      'payload_rejected',
      {},
      { state: open, dueAt: now + 5_000 },
    ],
    [
      'takes the next delay after another rejection',
      'payload_rejected',
      { attempts: 9, countedFailures: 2 },
      { attempts: 10, countedFailures: 3, dueAt: now + 120_000 },
    ],
    [
      'keeps the own schedule of a delivery that fails',
      'endpoint_failure',
      { attempts: 9, countedFailures: 3, dueAt: 1 },
      { state: open, attempts: 10, countedFailures: 4, dueAt: now + 600_000 },
    ],
    [
      'makes an ordered endpoint wait for a rejected delivery',
      'payload_rejected',
      { ordered: true },
      { state: open, dueAt: 0 },
    ],
    [
      'gives up a delivery of an ordered endpoint after the third rejection',
      'payload_rejected',
      { ordered: true, attempts: 5, countedFailures: 2 },
      { state: gaveUp, attempts: 6, countedFailures: 3 },
    ],
    [
      'never gives up because the endpoint is down',
      'endpoint_failure',
      { attempts: 500 },
      { state: open, attempts: 501, countedFailures: 0 },
    ],
    [
      'does not count a failure by its own schedule while nothing else succeeds',
      'endpoint_failure',
      { countedFailures: 14, dueAt: 1, isWell: false },
      { state: open, countedFailures: 14, dueAt: now + 12 * 3_600_000 },
    ],
    [
      'gives up after 15 failures by its own schedule while others succeed',
      'endpoint_failure',
      { countedFailures: 14, dueAt: 1 },
      { state: gaveUp, countedFailures: 15 },
    ],
    [
      'does not give up after 14 rejections',
      'payload_rejected',
      { countedFailures: 13 },
      { state: open },
    ],
    [
      'gives up after the 15th rejection',
      'payload_rejected',
      { countedFailures: 14 },
      { state: gaveUp },
    ],
    [
      'never gives up because of throttling',
      'throttled',
      { attempts: 99 },
      { state: open, countedFailures: 0 },
    ],
    [
      'gives up a replay after 15 failures of any kind',
      'throttled',
      { countedFailures: 14, isReplay: true },
      { state: gaveUp, countedFailures: 15 },
    ],
  ])('%s', (_name, outcome, { ordered = false, isWell = true, ...input }, expected) => {
    const delivery = { attempts: 0, countedFailures: 0, dueAt: 0, isReplay: false, ...input };
    const after = updateDelivery(delivery, outcome, { now, random: noJitter, ordered, isWell });
    expect(after).toMatchObject(expected);
  });
});
