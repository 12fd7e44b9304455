import { networksOf } from '../../http/access/rate-limit.ts';

/**
 * Hashes take a quarter of a second and 32 MiB each, of an isolate that serves all its users with
 * one thread and 128 MB.
 */
const maxParallel = 2;

/**
 * A slot is free again after this long, since a request whose client has gone never releases its
 * slot.
 */
const slotTimeoutMs = 10_000;

/** How long a browser is asked to wait for a slot. */
export const hashingRetrySeconds = 2;

const taken = new Set<{ until: number; network: string | undefined }>();

/**
 * Who asks for a slot, and when (epoch milliseconds). `address` is `CF-Connecting-IP`; absent in a
 * local service.
 */
interface SlotRequest {
  now: number;
  address: string | undefined;
}

/**
 * Runs work that hashes passwords, at most two at a time in an isolate, and one of a network. So no
 * network takes the slots of the others. Returns `undefined` at once if there is no slot.
 */
export async function runInHashingSlot<T extends object>(
  { now, address }: SlotRequest,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (const slot of taken) if (slot.until <= now) taken.delete(slot);
  const network = address === undefined ? undefined : networksOf(address).near;
  const isBusy = network !== undefined && [...taken].some((slot) => slot.network === network);
  if (taken.size >= maxParallel || isBusy) return undefined;
  const slot = { until: now + slotTimeoutMs, network };
  taken.add(slot);
  try {
    return await work();
  } finally {
    taken.delete(slot);
  }
}
