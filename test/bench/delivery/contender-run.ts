import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DeliveryContender } from './contenders/contenders.ts';
import { ProcessGroup } from './process-group.ts';
import { resetReceipts } from './receipts.ts';
import { benchEvents, type ContenderSetup } from './setup.ts';

/** Data that all runs share. */
export interface RunContext {
  /** Address of the receivers. */
  receivers: string;
  /** Folder of the states. */
  scratch: string;
}

/** A run of one contender on its own state, which survives kills. */
export class ContenderRun {
  readonly #script: string;
  readonly #setup: ContenderSetup;
  #group: ProcessGroup | undefined;

  constructor(
    { process: script, variant }: DeliveryContender,
    options: Omit<ContenderSetup, 'state' | 'isFirst' | 'receivers' | 'variant'>,
    { receivers, scratch }: RunContext,
  ) {
    this.#script = script;
    const state = mkdtempSync(join(scratch, 'state-'));
    this.#setup = { ...options, receivers, state, isFirst: true, variant };
  }

  /** Starts or restarts the contender. */
  async start(): Promise<void> {
    if (this.#setup.isFirst) await resetReceipts(this.#setup.receivers);
    this.#group = await ProcessGroup.start(this.#script, JSON.stringify(this.#setup));
    this.#setup.isFirst = false;
  }

  kill = async () => this.#group?.kill();

  async end(): Promise<void> {
    await this.kill();
    // Its last processes may still be ending.
    rmSync(this.#setup.state, { recursive: true, maxRetries: 5 });
  }

  /**
   * Publishes an event; returns whether it was acknowledged. Rejects while the contender is down.
   */
  async publish(n: number, event: string = benchEvents.measured): Promise<boolean> {
    const body = JSON.stringify({ n, name: 'Camiseta Listrada', price: 59.9 });
    const { ok } = await fetch(`${this.#group?.url}/${event}`, { method: 'POST', body });
    return ok;
  }

  /**
   * Returns the rows read and written so far; a contender that does not count them returns an empty
   * object.
   */
  async cost(): Promise<{ rowsRead?: number; rowsWritten?: number }> {
    return (await fetch(`${this.#group?.url}/`)).json<{ rowsRead?: number }>();
  }
}

export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
