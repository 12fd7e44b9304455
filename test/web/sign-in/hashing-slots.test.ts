import { describe, expect, it } from 'vitest';
import { runInHashingSlot } from '../../../src/accounts/sign-in/hashing-slots.ts';

const done = () => Promise.resolve(['done']);

const at = (now: number, address?: string) => ({ now, address });

/** Work of a request whose client has gone: it never ends. */
const abandoned = () => new Promise<never>(() => undefined);

describe('runInHashingSlot', () => {
  it('runs two at a time and no third', async () => {
    const ends: (() => void)[] = [];
    const work = () => new Promise<string[]>((resolve) => ends.push(() => resolve(['done'])));
    const running = [runInHashingSlot(at(0), work), runInHashingSlot(at(0), work)];
    expect(await runInHashingSlot(at(0), done)).toBeUndefined();
    for (const end of ends) end();
    expect(await Promise.all(running)).toEqual([['done'], ['done']]);
    expect(await runInHashingSlot(at(0), done)).toEqual(['done']);
  });

  it('gives a network one slot, and the other to another network', async () => {
    const ends: (() => void)[] = [];
    const work = () => new Promise<string[]>((resolve) => ends.push(() => resolve(['done'])));
    const first = runInHashingSlot(at(0, '2001:db8:1:1::1'), work);
    expect(await runInHashingSlot(at(0, '2001:db8:1:1::2'), done)).toBeUndefined();
    expect(await runInHashingSlot(at(0, '2001:db8:1:2::1'), done)).toEqual(['done']);
    for (const end of ends) end();
    await first;
    expect(await runInHashingSlot(at(0, '2001:db8:1:1::2'), done)).toEqual(['done']);
  });

  it('frees the slot of work that fails', async () => {
    const fail = () => Promise.reject(new Error('lost'));
    for (let count = 0; count < 3; count += 1) {
      await expect(runInHashingSlot(at(0), fail)).rejects.toThrow('lost');
    }
  });

  it('frees the slots of requests whose clients have gone after ten seconds', async () => {
    void runInHashingSlot(at(0), abandoned);
    void runInHashingSlot(at(0), abandoned);
    expect(await runInHashingSlot(at(9_999), done)).toBeUndefined();
    expect(await runInHashingSlot(at(10_000), done)).toEqual(['done']);
  });
});
