import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp, postToken, refreshForm } from '../../support/oauth/partner.ts';
import { runsOf } from '../../support/slow.ts';

const second = 1_000;
const hour = 3_600 * second;

/** The rules of src/oauth/README.md, "Retries of a refresh token", as a reference model. */
class GrantModel {
  generation = 1;
  rotatedAt: number;
  lateRetriesLeft = 3;
  isActive = true;

  constructor(now: number) {
    this.rotatedAt = now;
  }

  /** Returns the generation that is issued, or 0 for a rejection. */
  present(presented: number, now: number): number {
    if (!this.isActive) return 0;
    if (presented === this.generation) {
      this.rotatedAt = now;
      return (this.generation += 1);
    }
    const age = now - this.rotatedAt;
    const isParent = presented === this.generation - 1;
    if (isParent && age <= 120 * second) return this.generation;
    if (isParent && age <= 24 * hour && this.lateRetriesLeft > 0) {
      this.lateRetriesLeft -= 1;
      return this.generation;
    }
    this.isActive = false;
    return 0;
  }
}

const step = fc.record({
  /** How many generations the presented token is behind the current one. */
  behind: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.nat(3) },
  ),
  wait: fc.constantFrom(0, second, 119 * second, 121 * second, hour, 11 * hour, 25 * hour),
  /** How many parallel requests present it. */
  times: fc.integer({ min: 1, max: 4 }),
});

describe('refreshTokens: reference model', () => {
  it('attack F17: behaves as the model for any order, waits and parallel requests', async () => {
    const store = await createTestStore();
    const { app } = await connectApp(store);
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      let now = Date.UTC(2026, 5, 1);
      const { tokens } = await connectApp(store, { app, now });
      const model = new GrantModel(now);
      const issued = ['', tokens.refresh_token];
      for (const { behind, wait, times } of steps) {
        now += wait;
        const generation = Math.max(1, model.generation - behind);
        const form = refreshForm(app, issued[generation] ?? '');
        const presentedAt = now;
        const responses = await Promise.all(
          Array.from({ length: times }, () => postToken(form, { now: presentedAt })),
        );
        const expected = Array.from({ length: times }, () =>
          model.present(generation, presentedAt),
        );
        const received = responses.map(({ body }) => String(body.refresh_token ?? body.hint));
        // Keeps the first token of a generation; every later one must be equal.
        for (const next of expected) {
          if (next > 0) issued[next] ??= received.find((text) => text.startsWith('ort_')) ?? '';
        }
        expect(received.toSorted()).toEqual(
          expected
            .map((next) => (next > 0 ? (issued[next] ?? '') : 'Token has been revoked'))
            .toSorted(),
        );
      }
    });
    await fc.assert(property, { numRuns: runsOf(60, 15) });
  });
});
