import { vi } from 'vitest';
import { seal } from '../../../src/crypto/seal.ts';
import type { Arrival } from '../invariants.ts';
import { variables } from '../node/runtime.ts';
import { Process, type Fate } from './process.ts';
import { invocationOf, type Invocation } from './invocation.ts';
import type { Mood } from './receivers.ts';

/** A message that waits in a queue. */
export interface Message {
  queue: string;
  body: unknown;
  /** Not delivered before, epoch milliseconds. */
  at: number;
  attempts: number;
}

export interface Endpoint {
  id: number;
  secret: string;
  mood: Mood;
}

const secret = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=';

/** Everything that the program touches: one database, one queue, receivers and a clock. */
export class World {
  now = Date.UTC(2031, 0, 1);
  readonly messages: Message[] = [];
  readonly arrivals: Arrival[] = [];
  readonly mayRepeat = new Set<string>();
  readonly endpoints: Endpoint[] = [];
  readonly processes: Process[] = [];
  /** How often each fate was met. */
  readonly met: Record<string, number> = {};
  /** What happens before or after a failpoint of a consumer, while that waits. */
  meanwhile: ((failpoint: string, side: 'before' | 'after') => Promise<void>) | undefined;
  /** Who follows a call for help at once. */
  onCall: ((call: Message) => void) | undefined;
  /** What fate has in store at a failpoint. */
  fateAt: (failpoint: string) => Fate = () => 'goes on';
  readonly db: D1Database;
  readonly random: () => number;

  constructor(db: D1Database, random: () => number) {
    this.db = db;
    this.random = random;
  }

  /** An endpoint that hears of every `order.paid`. */
  async addEndpoint(ordered: boolean, concurrency: number): Promise<void> {
    const sealed = await seal(variables.SEALING_KEY, secret, 'webhook-secret:1');
    const row = await this.db
      .prepare(
        `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current, ordered,
           concurrency, created_at, updated_at)
         values (1, 'https://receiver.example/', 'x', 'n', 'n', ?, ?, ?, ?4, ?4) returning id`,
      )
      .bind(sealed, ordered, concurrency, this.now)
      .first<{ id: number }>();
    const id = row?.id ?? 0;
    const subscribing = `insert into webhook_subscriptions (store_id, event, endpoint_id) values (1, 'order.paid', ?)`;
    await this.db.prepare(subscribing).bind(id).run();
    this.endpoints.push({ id, secret, mood: 'well' });
  }

  /** Runs an invocation until it ends, dies or freezes. */
  async invoke(work: (one: Invocation) => Promise<unknown>): Promise<Process> {
    const { process } = this.begin(work);
    await this.settle();
    return process;
  }

  /** Begins an invocation, beside whatever else is under way. */
  begin(work: (one: Invocation) => Promise<unknown>): { process: Process; ended: Promise<void> } {
    const process = new Process((failpoint) => this.#meet(failpoint), this.mayRepeat);
    this.processes.push(process);
    const end = () => process.end();
    return { process, ended: work(invocationOf(this, process)).then(end, end) };
  }

  /** Lets time pass until no process can go on by itself. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.processes.some(({ state }) => state === 'running')) break;
      if (turn > 0) this.pass(500);
    }
    if (this.processes.some(({ state }) => state === 'running'))
      throw new Error('I1 a run that does not end');
    const alive = this.processes.filter(({ state }) => state === 'frozen');
    this.processes.splice(0, Infinity, ...alive);
    if (alive.length === 0) vi.clearAllTimers();
  }

  /** Lets time pass, in milliseconds. */
  pass(ms: number): void {
    this.now += ms;
    // What is frozen keeps its timers; more of them than these never matter.
    vi.advanceTimersByTime(Math.min(ms, 5_000));
  }

  #meet(failpoint: string): Fate {
    const fate = this.fateAt(failpoint);
    if (fate !== 'goes on') {
      const name = `${failpoint} ${fate}`;
      this.met[name] = (this.met[name] ?? 0) + 1;
    }
    return fate;
  }
}
