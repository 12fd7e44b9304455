/**
 * Whether an endpoint's hints go to the slow queues, where it holds up nobody who is well (webhooks 3.3): it is backing
 * off, or takes more than 2 s on average. An SQL condition over `webhook_endpoints`.
 */
export const slowLane = '(fail_streak > 0 or latency_ms > 2000)';
