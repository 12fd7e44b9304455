import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connect, post, refreshment } from '../support/partner.ts';
import { store } from '../support/store.ts';

const second = 1_000;
const hour = 3_600 * second;

/** The rules of section 3.4 of the design in a few lines: what becomes of a presented generation. */
class Model {
  head = 1;
  rotatedAt: number;
  budget = 3;
  isAlive = true;

  constructor(now: number) {
    this.rotatedAt = now;
  }

  /** The generation that is given out, or 0 for a refusal. */
  present(generation: number, now: number): number {
    if (!this.isAlive) return 0;
    if (generation === this.head) {
      this.rotatedAt = now;
      return (this.head += 1);
    }
    const age = now - this.rotatedAt;
    const isParent = generation === this.head - 1;
    if (isParent && age <= 120 * second) return this.head;
    if (isParent && age <= 24 * hour && this.budget > 0) {
      this.budget -= 1;
      return this.head;
    }
    this.isAlive = false;
    return 0;
  }
}

const step = fc.record({
  /** How far behind the head the presented token is. */
  behind: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.nat(3) },
  ),
  wait: fc.constantFrom(0, second, 119 * second, 121 * second, hour, 11 * hour, 25 * hour),
  /** How many times it is presented at once. */
  times: fc.integer({ min: 1, max: 4 }),
});

describe('the chain of refresh tokens', () => {
  it('F17: does what a small model does, whatever the order, the waits and the parallel calls', async () => {
    const own = await store();
    const { app } = await connect(own);
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      let now = Date.UTC(2026, 5, 1);
      const { tokens } = await connect(own, { app, now });
      const model = new Model(now);
      const issued = ['', tokens.refresh_token];
      for (const { behind, wait, times } of steps) {
        now += wait;
        const generation = Math.max(1, model.head - behind);
        const form = refreshment(app, issued[generation] ?? '');
        const moment = now;
        const answers = await Promise.all(
          Array.from({ length: times }, () => post(form, { now: moment })),
        );
        const expected = Array.from({ length: times }, () => model.present(generation, moment));
        const given = answers.map(({ body }) => String(body.refresh_token ?? body.hint));
        // The first token of a generation is remembered; every later one must be the same.
        for (const next of expected) {
          if (next > 0) issued[next] ??= given.find((text) => text.startsWith('ort_')) ?? '';
        }
        expect(given.toSorted()).toEqual(
          expected
            .map((next) => (next > 0 ? (issued[next] ?? '') : 'Token has been revoked'))
            .toSorted(),
        );
      }
    });
    await fc.assert(property, { numRuns: 60 });
  }, 60_000);
});
