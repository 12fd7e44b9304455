import { vi } from 'vitest';
import { seal } from '../../../../src/base/crypto/seal.ts';
import { mayClaim } from '../../../../src/webhooks/delivery/first-send.ts';
import { wranglerVars } from '../../node/runtime/runtime.ts';
import type { OrderChange, WebhookArrival } from '../invariants.ts';
import { createInvocation, type Invocation } from './invocation.ts';
import { SimulatedProcess, type FailpointOutcome } from './process.ts';
import type { QueuedMessage, SimulatedEndpoint, SimulationState } from './state.ts';

const sealingKeys = { current: wranglerVars.SEALING_KEY, previous: undefined };

const secret = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=';

/** The simulated surroundings of the Worker: a database, queues, receivers and a clock. */
export class SimulatedWorld implements SimulationState {
  now = Date.UTC(2031, 0, 1);
  readonly messages: QueuedMessage[] = [];
  readonly arrivals: WebhookArrival[] = [];
  readonly mayRepeat = new Set<string>();
  readonly orders: OrderChange[] = [];
  readonly endpoints: SimulatedEndpoint[] = [];
  readonly objects: SimulationState['objects'] = new Map();
  readonly processes: SimulatedProcess[] = [];
  /** Number of each outcome by failpoint. */
  readonly outcomeCounts: Record<string, number> = {};
  duringFailpoint: SimulationState['duringFailpoint'];
  onJoinRequest: SimulationState['onJoinRequest'];
  chooseOutcome: (failpoint: string) => FailpointOutcome = () => 'goes on';
  readonly db: D1Database;
  readonly random: () => number;

  constructor(db: D1Database, random: () => number) {
    this.db = db;
    this.random = random;
  }

  /** Adds an endpoint that is subscribed to `order.paid`. */
  async addEndpoint(ordered: boolean, concurrency: number): Promise<void> {
    const sealed = await seal(sealingKeys, secret, 'webhook-secret:1');
    const row = await this.db
      .prepare(
        `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current, ordered,
           concurrency, created_at, updated_at)
         values (1, 'https://receiver.example/', 'x', 'n', 'n', ?, ?, ?, ?4, ?4) returning id`,
      )
      .bind(sealed, ordered, concurrency, this.now)
      .first<{ id: number }>();
    const id = row?.id ?? 0;
    const insertSubscription = `insert into webhook_subscriptions (store_id, event, endpoint_id) values (1, 'order.paid', ?)`;
    await this.db.prepare(insertSubscription).bind(id).run();
    this.endpoints.push({ id, secret, behaviour: 'well' });
    this.orders.push({ endpoint: id, ordered, at: 0, underWayTo: 0 });
  }

  /** Runs an invocation until it ends, dies or freezes. */
  async invoke(work: (invocation: Invocation) => Promise<unknown>): Promise<SimulatedProcess> {
    const { process } = this.begin(work);
    await this.settle();
    return process;
  }

  /** Starts an invocation beside those that are running. */
  begin(work: (invocation: Invocation) => Promise<unknown>): {
    process: SimulatedProcess;
    ended: Promise<void>;
  } {
    const process = new SimulatedProcess(
      (failpoint) => this.#nextOutcome(failpoint),
      this.mayRepeat,
    );
    this.processes.push(process);
    const end = () => process.end();
    return { process, ended: work(this.createInvocation(process)).then(end, end) };
  }

  /** The parts that an invocation uses. */
  protected createInvocation(process: SimulatedProcess): Invocation {
    return createInvocation(this, process);
  }

  /** Advances the time until no process can continue by itself. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.processes.some(({ state }) => state === 'running')) break;
      if (turn > 0) this.advanceTime(500);
    }
    if (this.processes.some(({ state }) => state === 'running'))
      throw new Error('I1 a run that does not end');
    const alive = this.processes.filter(({ state }) => state === 'frozen');
    this.processes.splice(0, Infinity, ...alive);
    if (alive.length === 0) vi.clearAllTimers();
  }

  /** Kills the Worker with all that it holds: its invocations, timers and queues. */
  kill(): void {
    for (const process of this.processes.splice(0)) {
      process.markFaulty();
      process.state = 'dead';
    }
    this.messages.length = 0;
    vi.clearAllTimers();
    // A request forgets what has ended, and at this time all has.
    mayClaim(Infinity);
  }

  /** Advances the time by milliseconds. */
  advanceTime(ms: number): void {
    this.now += ms;
    // Timers of frozen processes stay; no timer of a run is longer.
    vi.advanceTimersByTime(Math.min(ms, 5_000));
  }

  #nextOutcome(failpoint: string): FailpointOutcome {
    const outcome = this.chooseOutcome(failpoint);
    if (outcome !== 'goes on') {
      const name = `${failpoint} ${outcome}`;
      this.outcomeCounts[name] = (this.outcomeCounts[name] ?? 0) + 1;
    }
    return outcome;
  }
}
