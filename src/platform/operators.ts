import { WorkerEntrypoint } from 'cloudflare:workers';
import type { MoveResult } from './move/start.ts';

/**
 * RPC entrypoint for a tool of the operators, by a service binding with `entrypoint = "Operators"`. Nothing public leads
 * here. See OPERATIONS.md, "Move a store".
 */
export class Operators extends WorkerEntrypoint<Env> {
  /** Starts the move of a store to another shard of its region, or returns why not. */
  async moveStore(alias: string, toShard: number): Promise<MoveResult> {
    const { moveStore } = await import('./move/start.ts');
    return moveStore(this.env, alias, toShard, Date.now());
  }

  /** Ends a move before its switch, or returns why not. */
  async abortMove(alias: string): Promise<MoveResult> {
    const { abortMove } = await import('./move/start.ts');
    return abortMove(this.env, alias, Date.now());
  }
}
