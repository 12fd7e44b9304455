import { retrySteps } from '../events/schedule.ts';
import type { RetryProps } from '../pages/docs-props.ts';

/** The tries of a delivery as the page shows them: when each comes, counted from the one before and from the first. */
export function retryTable(): RetryProps[] {
  const first = { attempt: 1, wait: 'at once', since: '' };
  let since = 0;
  return [
    first,
    ...retrySteps.map((step, index) => {
      since += step;
      return { attempt: index + 2, wait: spelt(step), since: spelt(since) };
    }),
  ];
}

/** Milliseconds as `2 h 42 min 35 s`. */
function spelt(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
