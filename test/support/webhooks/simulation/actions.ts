import { sql } from 'drizzle-orm';
import { rawStatement } from '../../../../src/data/core/raw.ts';
import type { Actor } from '../../../../src/webhooks/endpoints/audit-endpoint.ts';
import { deleteEndpoint } from '../../../../src/webhooks/endpoints/delete-endpoint.ts';
import { resumeEndpoint } from '../../../../src/webhooks/endpoints/resume-endpoint.ts';
import {
  updateEndpoint,
  pauseStatements,
} from '../../../../src/webhooks/endpoints/update-endpoint.ts';
import { publish } from '../../../../src/webhooks/events/publish.ts';
import { startReplay } from '../../../../src/webhooks/replay/start-replay.ts';
import { handleWakeups } from '../../../../src/webhooks/wakeup-handler.ts';
import { sweepAll } from '../../sweep.ts';
import type { Invocation } from './invocation.ts';
import { receiverBehaviours } from './receivers.ts';
import type { QueuedMessage, SimulatedEndpoint } from './state.ts';
import type { SimulatedWorld } from './world.ts';

const actor: Actor = { key: 'simulation', userId: 1, clientId: null };
const batchSize = 6;

const oneOf = <T>(world: SimulatedWorld, all: readonly T[]): T | undefined =>
  all[Math.floor(world.random() * all.length)];

/**
 * Creates a change with its event. The change is a row of its own, which `checkWorld` compares with
 * the events.
 */
export function createChange(world: SimulatedWorld) {
  const number = Math.floor(world.random() * 2 ** 40);
  return async ({ openStore: handle, sent }: Invocation) => {
    const db = handle();
    const statement = rawStatement(
      db,
      sql`insert into simulated_changes (number) values (${number})`,
    );
    await publish(db, [statement], [{ name: 'order.paid', resource: { number } }]);
    await sent();
  };
}

export const change = (world: SimulatedWorld) => world.invoke(createChange(world));

/** Starts a change whose request still sends while the next actions run. */
export const beginChange = async (world: SimulatedWorld) => void world.begin(createChange(world));

/**
 * Gives the due messages of one queue to a consumer, in reverse order. Unless `isFair`, some are
 * lost and some get two consumers.
 */
export async function consumeMessages(world: SimulatedWorld, isFair = false): Promise<void> {
  const due = world.messages.filter(({ at, queue }) => at <= world.now && queue !== 'dead');
  const queue = oneOf(world, due)?.queue;
  if (queue === undefined) return;
  const taken = due.filter((message) => message.queue === queue).slice(0, batchSize);
  for (const message of taken) world.messages.splice(world.messages.indexOf(message), 1);
  if (!isFair && world.random() < 0.1) return;
  const isTwice = !isFair && world.random() < 0.15;
  await Promise.all(
    (isTwice ? [taken, taken] : [taken]).map((messages) => deliverMessages(world, messages)),
  );
}

async function deliverMessages(
  world: SimulatedWorld,
  taken: readonly QueuedMessage[],
): Promise<void> {
  const batch = batchOf(world, taken);
  const process = await world.invoke(handleBatch(batch));
  if (process.state === 'done' && batch.isAcknowledged) return;
  const at = batch.retriedAt ?? world.now;
  world.messages.push(
    ...taken.map((message): QueuedMessage => ({ ...message, at, attempts: message.attempts + 1 })),
  );
}

/** Starts a worker that joins a lease, beside the worker that invited it. */
export function acceptJoinRequest(world: SimulatedWorld, request: QueuedMessage): void {
  world.begin(handleBatch(batchOf(world, [request])));
}

// A detached run dies with its process, too.
const handleBatch =
  (batch: MessageBatch) =>
  async ({ env, deps: ports }: Invocation): Promise<void> => {
    const detached: Promise<unknown>[] = [];
    await handleWakeups(batch, env, ports, { waitUntil: (work) => void detached.push(work) });
    await Promise.all(detached);
  };

function batchOf(world: SimulatedWorld, taken: readonly QueuedMessage[]) {
  const batch = {
    isAcknowledged: false,
    retriedAt: undefined as number | undefined,
    queue: taken[0]?.queue.toLowerCase(),
    messages: taken
      .map(({ body, attempts }) => ({ body, attempts, ack: () => undefined }))
      .toReversed(),
    ackAll: () => {
      batch.isAcknowledged = true;
    },
    retryAll: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => {
      batch.retriedAt = world.now + delaySeconds * 1000;
    },
  };
  return batch as unknown as MessageBatch & typeof batch;
}

export const runCron = (world: SimulatedWorld) =>
  world.invoke(({ env, deps: ports }) => sweepAll(env, ports.now));

const withEndpoint =
  (action: (world: SimulatedWorld, endpoint: SimulatedEndpoint) => Promise<unknown>) =>
  async (world: SimulatedWorld) => {
    const endpoint = oneOf(world, world.endpoints);
    if (endpoint) await action(world, endpoint);
  };

const pause = withEndpoint((world, { id }) =>
  world.invoke(({ openStore: handle }) => {
    const db = handle();
    return updateEndpoint(db, actor, id, {}, pauseStatements(db, actor, id));
  }),
);

export const resumeHeld = (world: SimulatedWorld, { id }: SimulatedEndpoint) =>
  world.invoke(({ openStore: handle, settings, deps: ports }) =>
    resumeEndpoint(
      handle(),
      actor,
      id,
      { release: 'all', action: 'resumed' },
      { settings, deps: ports },
    ),
  );

const remove = withEndpoint((world, { id }) =>
  world.invoke(({ openStore: handle }) => deleteEndpoint(handle(), actor, id)),
);

const replay = withEndpoint((world, { id }) =>
  world.invoke(({ openStore: handle }) => startReplay(handle(), actor, id, { seq: 1 })),
);

const switchOrder = withEndpoint((world, { id }) => {
  const ordered = world.random() < 0.3;
  return world.invoke(({ openStore: handle }) => updateEndpoint(handle(), actor, id, { ordered }));
});

const changeReceiver = withEndpoint(async (world, endpoint) => {
  endpoint.behaviour = oneOf(world, receiverBehaviours) ?? 'well';
});

const wait = async (world: SimulatedWorld) =>
  world.advanceTime(oneOf(world, [1_000, 5_000, 30_000, 60_000, 300_000]) ?? 0);

async function unfreeze(world: SimulatedWorld): Promise<void> {
  oneOf(world, world.processes)?.unfreeze();
  await world.settle();
}

type Action = (world: SimulatedWorld) => Promise<unknown>;

/** The possible next actions, repeated by their likelihood. */
export const actions: readonly Action[] = [
  ...Array<Action>(4).fill(change),
  ...Array<Action>(3).fill(beginChange),
  ...Array<Action>(8).fill((world) => consumeMessages(world)),
  ...Array<Action>(3).fill(wait),
  runCron,
  runCron,
  changeReceiver,
  changeReceiver,
  unfreeze,
  unfreeze,
  pause,
  withEndpoint(resumeHeld),
  replay,
  switchOrder,
  // Rarely, because a deleted endpoint has nothing left to test.
  (world) => (world.random() < 0.2 ? remove(world) : Promise.resolve()),
];
