import { sql } from 'drizzle-orm';
import { rawStatement } from '../../../src/db/raw.ts';
import type { Actor } from '../../../src/events/audit.ts';
import { changeEndpoint, pausing } from '../../../src/events/endpoint-changes.ts';
import { deleteEndpoint } from '../../../src/events/endpoints.ts';
import { consumeHints } from '../../../src/events/hints-consumer.ts';
import { publish } from '../../../src/events/publish.ts';
import { startReplay } from '../../../src/events/replay-start.ts';
import { resumeEndpoint } from '../../../src/events/resume.ts';
import { sweep } from '../../../src/events/sweep.ts';
import type { Invocation } from './invocation.ts';
import { moods } from './receivers.ts';
import type { Endpoint, Message, World } from './world.ts';

const actor: Actor = { key: 'simulation', userId: 1, clientId: null };
const batchSize = 6;

const oneOf = <T>(world: World, all: readonly T[]): T | undefined =>
  all[Math.floor(world.random() * all.length)];

/** A change with its event; what was changed is a row of its own, to be compared with the events. */
export function changing(world: World) {
  const number = Math.floor(world.random() * 2 ** 40);
  return ({ handle }: Invocation) => {
    const db = handle();
    const statement = rawStatement(
      db,
      sql`insert into simulated_changes (number) values (${number})`,
    );
    return publish(db, [statement], [{ name: 'order.paid', resource: { number } }]);
  };
}

const change = (world: World) => world.invoke(changing(world));

/** Gives one queue's due messages to a consumer, in any order; some to two at once, and some are lost. */
export async function consume(world: World, isFair = false): Promise<void> {
  const due = world.messages.filter(({ at, queue }) => at <= world.now && queue !== 'dead');
  const queue = oneOf(world, due)?.queue;
  if (queue === undefined) return;
  const taken = due.filter((message) => message.queue === queue).slice(0, batchSize);
  for (const message of taken) world.messages.splice(world.messages.indexOf(message), 1);
  if (!isFair && world.random() < 0.1) return;
  const isTwice = !isFair && world.random() < 0.15;
  await Promise.all(
    (isTwice ? [taken, taken] : [taken]).map((messages) => handle(world, messages)),
  );
}

async function handle(world: World, taken: readonly Message[]): Promise<void> {
  const batch = batchOf(world, taken);
  const process = await world.invoke(consuming(batch));
  if (process.state === 'done' && batch.isAcknowledged) return;
  const at = batch.retriedAt ?? world.now;
  world.messages.push(
    ...taken.map((message): Message => ({ ...message, at, attempts: message.attempts + 1 })),
  );
}

/** Lets a consumer follow a call for help at once, beside the one that called. */
export function followCall(world: World, call: Message): void {
  world.begin(consuming(batchOf(world, [call])));
}

// What a run leaves to its context dies with its process too.
const consuming =
  (batch: MessageBatch) =>
  async ({ env, ports }: Invocation): Promise<void> => {
    const left: Promise<unknown>[] = [];
    await consumeHints(batch, env, ports, { waitUntil: (work) => void left.push(work) });
    await Promise.all(left);
  };

function batchOf(world: World, taken: readonly Message[]) {
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

export const cron = (world: World) => world.invoke(({ env, ports }) => sweep(env, ports.now));

const withEndpoint =
  (act: (world: World, endpoint: Endpoint) => Promise<unknown>) => async (world: World) => {
    const endpoint = oneOf(world, world.endpoints);
    if (endpoint) await act(world, endpoint);
  };

const pause = withEndpoint((world, { id }) =>
  world.invoke(({ handle }) => {
    const db = handle();
    return changeEndpoint(db, actor, id, {}, pausing(db, actor, id));
  }),
);

export const resume = (world: World, { id }: Endpoint) =>
  world.invoke(({ handle, settings, ports }) =>
    resumeEndpoint(handle(), actor, id, { release: 'all', action: 'resumed' }, { settings, ports }),
  );

const remove = withEndpoint((world, { id }) =>
  world.invoke(({ handle }) => deleteEndpoint(handle(), actor, id)),
);

const replay = withEndpoint((world, { id }) =>
  world.invoke(({ handle }) => startReplay(handle(), actor, id, { seq: 1 })),
);

const weather = withEndpoint(async (world, endpoint) => {
  endpoint.mood = oneOf(world, moods) ?? 'well';
});

const wait = async (world: World) =>
  world.pass(oneOf(world, [1_000, 5_000, 30_000, 60_000, 300_000]) ?? 0);

async function thaw(world: World): Promise<void> {
  oneOf(world, world.processes)?.thaw();
  await world.settle();
}

type Action = (world: World) => Promise<unknown>;

/** What may happen next, each as often as it is likely. */
export const actions: readonly Action[] = [
  ...Array<Action>(6).fill(change),
  ...Array<Action>(8).fill((world) => consume(world)),
  ...Array<Action>(3).fill(wait),
  cron,
  cron,
  weather,
  weather,
  thaw,
  thaw,
  pause,
  withEndpoint(resume),
  replay,
  // Rarely: an endpoint that is gone has nothing more to tell.
  (world) => (world.random() < 0.2 ? remove(world) : Promise.resolve()),
];
