import { describe, expect, it } from 'vitest';
import { maxRefusals, retrySteps, waitAfter } from '../../src/events/schedule.ts';

describe('retry schedule', () => {
  it('is the promised one: 14 steps, about 75.7 hours, none longer than 12 hours', () => {
    const inSeconds = retrySteps.map((step) => step / 1000);
    expect(inSeconds.slice(0, 5)).toEqual([5, 30, 120, 600, 1800]);
    expect(inSeconds.slice(5)).toEqual(
      [1, 2, 4, 8, 12, 12, 12, 12, 12].map((hours) => hours * 3600),
    );
    expect(inSeconds.reduce((sum, step) => sum + step) / 3600).toBeCloseTo(75.71, 1);
    expect(maxRefusals).toBe(15);
  });

  it('fault 40: is never early and at most 20 % late', () => {
    const ratios = Array.from({ length: 100_000 }, (_, draw) => {
      const failures = 1 + (draw % 14);
      return waitAfter(failures, Math.random) / (retrySteps[failures - 1] ?? 0);
    });
    expect(ratios.filter((ratio) => ratio < 1 || ratio > 1.2001)).toEqual([]);
  });

  it('fault 39: spreads what failed together', () => {
    for (const failures of [1, 5, 10]) {
      const [step, parts] = [retrySteps[failures - 1] ?? 0, 10];
      const counts = Array<number>(parts).fill(0);
      for (let endpoint = 0; endpoint < 1_000; endpoint += 1) {
        const late = waitAfter(failures, Math.random) - step;
        const part = Math.min(parts - 1, Math.floor((late * parts) / (step * 0.2)));
        counts[part] = (counts[part] ?? 0) + 1;
      }
      expect(Math.max(...counts)).toBeLessThan(2 * (1_000 / parts));
    }
  });

  it('stays at the last step', () => {
    expect(waitAfter(15, () => 0)).toBe(12 * 3_600_000);
    expect(waitAfter(400, () => 0)).toBe(12 * 3_600_000);
    expect(waitAfter(0, () => 0)).toBe(5_000);
  });
});
