import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { daySeconds } from '../../base/durations.ts';
import { findHostOwner, replicateDatabases } from './cloudflare-api.ts';
import type { Step } from './step.ts';
import { formatCommand, type Wrangler } from './wrangler.ts';

const databaseList = z.array(z.object({ name: z.string(), uuid: z.string() }));
const namespaceList = z.array(z.object({ title: z.string(), id: z.string() }));
const login = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) });

/** Objects outlive the events in them, which the sweep deletes, by this many days. The rule is a second net. */
const bucketMarginDays = 2;

const createDatabase = (name: string, region: string) => [
  'd1',
  'create',
  name,
  '--location',
  region,
];
const createNamespace = (name: string) => ['kv', 'namespace', 'create', name];
const createQueue = (name: string) => ['queues', 'create', name];
const createBucket = (name: string, region: string) => [
  'r2',
  'bucket',
  'create',
  name,
  '--location',
  region,
];

const chooseAccount: Step = {
  title: 'Choose the account',
  plan: ({ deployment }) => [
    deployment.account_id
      ? `account ${deployment.account_id}`
      : formatCommand(['whoami', '--json']),
  ],
  run: async ({ deployment, state, wrangler }) => {
    const account = deployment.account_id ?? state.state.account_id ?? (await askAccount(wrangler));
    wrangler.account = account;
    state.update((known) => {
      known.account_id = account;
    });
  },
};

/**
 * Without a terminal, wrangler replaces the DNS records of a host. So the host must be free or ours: a wrong name must not
 * take the address of something that is live.
 */
const checkHost: Step = {
  title: 'Look who has the host',
  plan: ({ deployment, state }) => [
    state.state.host === deployment.host
      ? `${deployment.host}: ours`
      : `${deployment.host} must be free: no other Worker, no DNS record`,
  ],
  run: async (run) => {
    const { deployment, state, isHostTakenOver } = run;
    if (state.state.host === deployment.host) return;
    const owner = isHostTakenOver ? undefined : await findHostOwner(run);
    if (owner !== undefined) {
      throw new Error(
        `${deployment.host} belongs to ${owner}, which this deployment would replace. Correct host in the ` +
          'deployment file; or run npm run deploy -- --take-over-host, if it shall be replaced.',
      );
    }
    state.update((known) => {
      known.host = deployment.host;
    });
  },
};

async function askAccount(wrangler: Wrangler): Promise<string> {
  const answer = await wrangler.runJson(['whoami', '--json']).catch((cause: unknown) => {
    throw new Error(`Run npx wrangler login, or set CLOUDFLARE_API_TOKEN.\n${String(cause)}`, {
      cause,
    });
  });
  const { accounts } = login.parse(answer);
  const [first, ...others] = accounts;
  if (first && others.length === 0) return first.id;
  const list = accounts.map(({ id, name }) => `  ${id} ${name}`).join('\n');
  throw new Error(`Put the account_id into the deployment file. The login has:\n${list}`);
}

/** Creates what `list` (ids by name) does not contain, and returns the ids of all `names` in their order. */
async function createMissing(
  names: readonly string[],
  list: () => Promise<ReadonlyMap<string, string>>,
  create: (name: string) => Promise<unknown>,
): Promise<string[]> {
  if (names.length === 0) return [];
  const before = await list();
  const missing = names.filter((name) => !before.has(name));
  for (const name of missing) await create(name);
  const ids = missing.length > 0 ? await list() : before;
  return names.map((name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`${name} was created, but is not in the list.`);
    return id;
  });
}

const createDatabases: Step = {
  title: 'Create the databases, with read replicas',
  plan: ({ resources, state }) =>
    resources.databases.map(({ binding, name, region }) =>
      binding in state.state.databases
        ? `${name}: exists`
        : `${formatCommand(createDatabase(name, region))}   # ${binding}, replicas: auto`,
    ),
  run: async (run) => {
    const { resources, state, wrangler } = run;
    const unknown = resources.databases.filter(
      ({ binding }) => !(binding in state.state.databases),
    );
    const regions = new Map(unknown.map(({ name, region }) => [name, region]));
    const ids = await createMissing(
      unknown.map(({ name }) => name),
      async () => {
        const list = databaseList.parse(await wrangler.runJson(['d1', 'list', '--json']));
        return new Map(list.map(({ name, uuid }) => [name, uuid]));
      },
      (name) => wrangler.run(createDatabase(name, regions.get(name) ?? '')),
    );
    state.update(({ databases }) => {
      for (const [index, { binding, region }] of unknown.entries()) {
        databases[binding] = { id: ids[index] ?? '', region, isReplicated: false };
      }
    });
    const single = resources.databases.filter(
      ({ binding }) => !state.state.databases[binding]?.isReplicated,
    );
    await replicateDatabases(
      run,
      single.map(({ binding }) => binding),
    );
  },
};

const createNamespaces: Step = {
  title: 'Create the KV namespaces',
  plan: ({ resources, state }) =>
    resources.namespaces.map(({ binding, name }) =>
      binding in state.state.namespaces
        ? `${name}: exists`
        : `${formatCommand(createNamespace(name))}   # ${binding}`,
    ),
  run: async ({ resources, state, wrangler }) => {
    const unknown = resources.namespaces.filter(
      ({ binding }) => !(binding in state.state.namespaces),
    );
    const ids = await createMissing(
      unknown.map(({ name }) => name),
      async () => {
        const list = namespaceList.parse(await wrangler.runJson(['kv', 'namespace', 'list']));
        return new Map(list.map(({ title, id }) => [title, id]));
      },
      (name) => wrangler.run(createNamespace(name)),
    );
    state.update(({ namespaces }) => {
      for (const [index, { binding }] of unknown.entries()) namespaces[binding] = ids[index] ?? '';
    });
  },
};

const createQueues: Step = {
  title: 'Create the queues',
  plan: ({ resources, state }) =>
    resources.queues.map((name) =>
      state.state.queues.includes(name) ? `${name}: exists` : formatCommand(createQueue(name)),
    ),
  run: async ({ resources, state, wrangler }) => {
    for (const name of resources.queues.filter((queue) => !state.state.queues.includes(queue))) {
      await wrangler.create(createQueue(name), ['queues', 'info', name]);
      state.update(({ queues }) => queues.push(name));
    }
  },
};

const createBuckets: Step = {
  title: 'Create the buckets, whose objects expire',
  plan: ({ resources, deployment, state }) =>
    resources.buckets.map((name) => {
      const days = deployment.retention_days + bucketMarginDays;
      return state.state.buckets[name] === days
        ? `${name}: exists, objects expire after ${days} days`
        : `${formatCommand(createBucket(name, deployment.shards[0] ?? ''))}   # objects expire after ${days} days`;
    }),
  run: async ({ resources, deployment, state, wrangler, paths }) => {
    const days = deployment.retention_days + bucketMarginDays;
    for (const name of resources.buckets.filter((bucket) => state.state.buckets[bucket] !== days)) {
      if (!(name in state.state.buckets)) {
        const command = createBucket(name, deployment.shards[0] ?? '');
        await wrangler.create(command, ['r2', 'bucket', 'info', name]);
      }
      mkdirSync(paths.folder, { recursive: true });
      const file = join(paths.folder, 'lifecycle.json');
      writeFileSync(file, JSON.stringify(lifecycle(days)));
      await wrangler.run(['r2', 'bucket', 'lifecycle', 'set', name, '--file', file, '--force']);
      state.update(({ buckets }) => {
        buckets[name] = days;
      });
    }
  },
};

const lifecycle = (days: number) => ({
  rules: [
    {
      id: 'expire',
      enabled: true,
      conditions: { prefix: '' },
      deleteObjectsTransition: { condition: { type: 'Age', maxAge: days * daySeconds } },
    },
  ],
});

export const provisionSteps: readonly Step[] = [
  chooseAccount,
  checkHost,
  createDatabases,
  createNamespaces,
  createQueues,
  createBuckets,
];
