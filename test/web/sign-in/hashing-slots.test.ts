import { describe, expect, it } from 'vitest';
import { runInHashingSlot } from '../../../src/web/sign-in/hashing-slots.ts';

const done = () => Promise.resolve(['done']);

/** Work of a request whose client has gone: it never ends. */
const abandoned = () => new Promise<never>(() => undefined);

describe('runInHashingSlot', () => {
  it('runs two at a time and no third', async () => {
    const ends: (() => void)[] = [];
    const work = () => new Promise<string[]>((resolve) => ends.push(() => resolve(['done'])));
    const running = [runInHashingSlot(0, work), runInHashingSlot(0, work)];
    expect(await runInHashingSlot(0, done)).toBeUndefined();
    for (const end of ends) end();
    expect(await Promise.all(running)).toEqual([['done'], ['done']]);
    expect(await runInHashingSlot(0, done)).toEqual(['done']);
  });

  it('frees the slot of work that fails', async () => {
    const fail = () => Promise.reject(new Error('lost'));
    for (let count = 0; count < 3; count += 1) {
      await expect(runInHashingSlot(0, fail)).rejects.toThrow('lost');
    }
  });

  it('frees the slots of requests whose clients have gone after ten seconds', async () => {
    void runInHashingSlot(0, abandoned);
    void runInHashingSlot(0, abandoned);
    expect(await runInHashingSlot(9_999, done)).toBeUndefined();
    expect(await runInHashingSlot(10_000, done)).toEqual(['done']);
  });
});
