import { log } from '../log.ts';

/** A message: look at the transfers of this shard. It carries no data, so a lost, late or repeated one does no harm. */
interface TransferMessage {
  v: 1;
  shard: number;
}

/** Asks for a turn at the transfers of a shard. Never rejects: the sweep asks again each minute. */
export async function wakeTransfers(
  { TRANSFERS }: Pick<Env, 'TRANSFERS'>,
  shard: number,
  delaySeconds = 0,
): Promise<void> {
  try {
    await TRANSFERS.send({ v: 1, shard } satisfies TransferMessage, { delaySeconds });
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('warn', 'transfers_not_woken', { shard, message });
  }
}
