/**
 * Hashes take a quarter of a second and 32 MiB each, of an isolate that serves all its users with one thread and 128
 * MB.
 */
const maxParallel = 2;

/** A slot is free again after this long, since a request whose client has gone never releases its slot. */
const slotTimeoutMs = 10_000;

/** How long a browser is asked to wait for a slot. */
export const hashingRetrySeconds = 2;

const taken = new Set<{ until: number }>();

/** Runs work that hashes passwords, at most two at a time in an isolate; returns `undefined` at once if both slots are taken. */
export async function runInHashingSlot<T extends object>(
  now: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (const slot of taken) if (slot.until <= now) taken.delete(slot);
  if (taken.size >= maxParallel) return undefined;
  const slot = { until: now + slotTimeoutMs };
  taken.add(slot);
  try {
    return await work();
  } finally {
    taken.delete(slot);
  }
}
