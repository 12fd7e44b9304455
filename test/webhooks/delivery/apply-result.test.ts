import { describe, expect, it } from 'vitest';
import { updateHealth, type HealthResult } from '../../../src/webhooks/delivery/apply-result.ts';
import type { EndpointHealth } from '../../../src/webhooks/delivery/leased-endpoint.ts';
import { selectDeliveries } from '../../../src/webhooks/delivery/load-endpoints.ts';

const now = 10_000_000;
const well: EndpointHealth = {
  consecutiveFailures: 0,
  failureCount: 0,
  firstFailureAt: null,
  lastSuccessAt: null,
  latencyMs: 100,
  backoffUntil: null,
  goneAt: null,
};
const failing = { ...well, consecutiveFailures: 3, failureCount: 3, firstFailureAt: 500 };
const result = {
  now,
  durationMs: 100,
  retryAfterMs: null,
  blocksEndpoint: false,
  isReplay: false,
  random: () => 0,
};

describe('updateHealth', () => {
  it.each<
    [
      string,
      EndpointHealth,
      Partial<HealthResult> & Pick<HealthResult, 'outcome'>,
      Partial<EndpointHealth>,
    ]
  >([
    [
      'resets all counters after a success',
      failing,
      { outcome: 'delivered' },
      { ...well, lastSuccessAt: now },
    ],
    [
      'resets nothing after a success beside a failure of the same run',
      { ...failing, backoffUntil: now + 1 },
      { outcome: 'delivered' },
      {
        consecutiveFailures: 3,
        failureCount: 3,
        firstFailureAt: 500,
        lastSuccessAt: now,
        backoffUntil: now + 1,
      },
    ],
    [
      'backs off after the first failure and counts it',
      well,
      { outcome: 'endpoint_failure' },
      { consecutiveFailures: 1, failureCount: 1, firstFailureAt: now, backoffUntil: now + 5_000 },
    ],
    [
      'takes the fourth delay after the fourth failure',
      failing,
      { outcome: 'endpoint_failure' },
      { consecutiveFailures: 4, failureCount: 4, firstFailureAt: 500, backoffUntil: now + 600_000 },
    ],
    [
      'counts concurrent failures as one step',
      { ...failing, backoffUntil: now + 5 },
      { outcome: 'endpoint_failure' },
      { consecutiveFailures: 3, failureCount: 3, backoffUntil: now + 5 },
    ],
    [
      'backs off when throttled and counts no failure',
      well,
      { outcome: 'throttled' },
      { consecutiveFailures: 1, failureCount: 0, firstFailureAt: null, backoffUntil: now + 5_000 },
    ],
    [
      'waits for Retry-After when it is longer than the delay',
      well,
      { outcome: 'throttled', retryAfterMs: 120_000 },
      { backoffUntil: now + 120_000 },
    ],
    [
      'waits for the delay when it is longer than Retry-After',
      failing,
      { outcome: 'throttled', retryAfterMs: 120_000 },
      { backoffUntil: now + 600_000, failureCount: 3, firstFailureAt: 500 },
    ],
    [
      'extends the backoff when throttled beside a failure',
      { ...failing, backoffUntil: now + 5 },
      { outcome: 'throttled', retryAfterMs: 9_000 },
      { consecutiveFailures: 3, backoffUntil: now + 9_000 },
    ],
    [
      'ends the backoff after a rejected payload and keeps the failure count',
      failing,
      { outcome: 'payload_rejected' },
      { consecutiveFailures: 0, failureCount: 3, firstFailureAt: 500, backoffUntil: null },
    ],
    [
      'backs off after a rejected payload that blocks its endpoint, and counts no failure',
      well,
      { outcome: 'payload_rejected', blocksEndpoint: true },
      { consecutiveFailures: 1, failureCount: 0, firstFailureAt: null, backoffUntil: now + 5_000 },
    ],
    [
      'stops the endpoint at once when it is gone',
      well,
      { outcome: 'gone' },
      { goneAt: now - 100, backoffUntil: now },
    ],
    [
      'backs off after a failed replay and counts no failure',
      well,
      { outcome: 'endpoint_failure', isReplay: true },
      { consecutiveFailures: 1, failureCount: 0, firstFailureAt: null },
    ],
    [
      'changes nothing when the delivery was unsendable',
      failing,
      { outcome: 'unsendable' },
      failing,
    ],
    [
      'moves the average latency by a fifth',
      well,
      { outcome: 'delivered', durationMs: 5_100 },
      { latencyMs: 1_100 },
    ],
  ])('%s', (_name, health, more, expected) => {
    expect(updateHealth(health, { ...result, ...more })).toMatchObject(expected);
  });
});

describe('selectDeliveries', () => {
  const delivery = (seq: number, attempts = 0) => ({
    seq,
    attempts,
    countedFailures: 0,
    eventId: `${seq}`,
    content: null,
    dueAt: 0,
    isReplay: false,
  });
  const due = [delivery(1, 2), delivery(2), delivery(3)];

  it.each([
    ['selects everything while the endpoint is well', due, 0, false, [1, 2, 3], undefined],
    ['selects the oldest at the first step', due, 1, false, [1], undefined],
    ['selects the newest at the next step, with the oldest as suspect', due, 2, false, [3], 1],
    ['selects the oldest again at the third step', due, 3, false, [1], undefined],
    ['has no suspect that was never attempted', due.slice(1), 2, false, [3], undefined],
    ['selects the only delivery', due.slice(0, 1), 2, false, [1], undefined],
    ['always selects the oldest of an ordered endpoint', due, 2, true, [1], undefined],
    ['selects nothing when nothing is due', [], 2, false, [], undefined],
  ])('%s', (_name, list, consecutiveFailures, ordered, expected, suspect) => {
    const selected = selectDeliveries(list, { consecutiveFailures, ordered });
    expect(selected.deliveries.map(({ seq }) => seq)).toEqual(expected);
    expect(selected.suspect?.seq).toBe(suspect);
  });
});
