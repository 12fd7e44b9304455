import * as z from 'zod';
import { daySeconds } from '../base/durations.ts';
import { tablePrefix } from '../data/schema/store/transfers-tables.ts';
import { workInTens } from './cloudflare-api.ts';
import {
  accountRights,
  assertRights,
  bucketCreationOf,
  createDatabase,
  createNamespace,
  createQueue,
  creationOf,
  ensureBucket,
  findHostOwner,
  listDatabases,
  listNamespaces,
  listQueues,
  locateDatabase,
  setLifecycle,
  zoneRights,
} from './deploy-account.ts';
import { takeTurn } from './deploy-lock.ts';
import type { DatabaseResource } from './deployment-resources.ts';
import { listApiChanges } from './list-api-changes.ts';
import { migrateDatabase } from './prepare.ts';
import type { DeployRun, Step } from './step.ts';
import { formatCommand, type Wrangler } from './wrangler.ts';

const login = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) });

/** Objects outlive the events in them by 30 days, for a restore; then the sweep deletes them. The rule is a second net. */
const bucketMarginDays = 32;

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

const checkRights: Step = {
  title: 'Check the rights of the token',
  plan: () => [...accountRights, ...zoneRights].map(([right]) => right),
  run: assertRights,
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

/** Throws if a database is not where the deployment file says: it cannot move. */
async function assertPlace(run: DeployRun, { name }: DatabaseResource, id: string) {
  const { jurisdiction: wanted, location } = run.deployment;
  const found = await locateDatabase(run, id);
  if (found.jurisdiction !== wanted) {
    throw new Error(
      `${name} is in ${found.jurisdiction ? `the jurisdiction ${found.jurisdiction}` : 'no jurisdiction'}, and the ` +
        `deployment file says ${wanted ?? 'none'}. It is chosen when a database is created, for ever.`,
    );
  }
  if (found.location !== undefined && found.location !== location) {
    throw new Error(
      `${name} is in ${found.location}, and the deployment file says ${location}. A database cannot move: write ` +
        `${found.location} into the deployment file, or delete the database while it is empty.`,
    );
  }
}

const createDatabases: Step = {
  title: 'Create the databases',
  plan: ({ deployment, resources, state }) =>
    resources.databases.map((database) =>
      database.binding in state.state.databases
        ? `${database.name}: exists`
        : `POST d1/database ${JSON.stringify(creationOf(deployment, database.name))}   # ${database.binding}`,
    ),
  run: async (run) => {
    const { deployment, resources, state } = run;
    const unknown = resources.databases.filter(
      ({ binding }) => !(binding in state.state.databases),
    );
    const found = unknown.length > 0 ? await listDatabases(run) : new Map<string, string>();
    await workInTens(unknown, async (database) => {
      const id = found.get(database.name) ?? (await createDatabase(run, database.name));
      await assertPlace(run, database, id);
      state.update(({ databases }) => {
        const { location, jurisdiction } = deployment;
        databases[database.binding] = { id, location, ...(jurisdiction && { jurisdiction }) };
      });
    });
  },
};

/** One run at a time: two that upload at once would take the traffic from each other. */
const takeLock: Step = {
  title: 'Take the turn, so that no other run deploys',
  plan: () => ['POST d1/database/DIRECTORY/query: insert into deploy_turns'],
  run: (run) =>
    takeTurn(run, async () => {
      const [directory] = run.resources.databases;
      if (directory) await migrateDatabase(run, directory);
    }),
};

const createNamespaces: Step = {
  title: 'Create the KV namespaces',
  plan: ({ resources, state }) =>
    resources.namespaces.map(({ binding, name }) =>
      binding in state.state.namespaces
        ? `${name}: exists`
        : `POST storage/kv/namespaces ${JSON.stringify({ title: name })}   # ${binding}`,
    ),
  run: async (run) => {
    const { resources, state } = run;
    const unknown = resources.namespaces.filter(
      ({ binding }) => !(binding in state.state.namespaces),
    );
    const found = unknown.length > 0 ? await listNamespaces(run) : new Map<string, string>();
    await workInTens(unknown, async ({ binding, name }) => {
      const id = found.get(name) ?? (await createNamespace(run, name));
      state.update(({ namespaces }) => {
        namespaces[binding] = id;
      });
    });
  },
};

const createQueues: Step = {
  title: 'Create the queues',
  plan: ({ resources, state }) =>
    resources.queues.map((name) =>
      state.state.queues.includes(name)
        ? `${name}: exists`
        : `POST queues ${JSON.stringify({ queue_name: name })}`,
    ),
  run: async (run) => {
    const { resources, state } = run;
    const unknown = resources.queues.filter((name) => !state.state.queues.includes(name));
    const found = unknown.length > 0 ? await listQueues(run) : new Set<string>();
    await workInTens(unknown, async (name) => {
      if (!found.has(name)) await createQueue(run, name);
      state.update(({ queues }) => queues.push(name));
    });
  },
};

const createBuckets: Step = {
  title: 'Create the buckets, whose objects expire',
  plan: ({ resources, deployment, state }) =>
    resources.buckets.map((name) => {
      const days = deployment.retention_days + bucketMarginDays;
      return state.state.buckets[name] === days
        ? `${name}: exists, objects expire after ${days} days`
        : `POST r2/buckets ${JSON.stringify(bucketCreationOf(deployment, name))}   # objects expire after ${days} days`;
    }),
  run: async (run) => {
    const { resources, deployment, state } = run;
    const days = deployment.retention_days + bucketMarginDays;
    for (const name of resources.buckets.filter((bucket) => state.state.buckets[bucket] !== days)) {
      if (!(name in state.state.buckets)) await ensureBucket(run, name);
      await setLifecycle(run, name, lifecycle(days));
      state.update(({ buckets }) => {
        buckets[name] = days;
      });
    }
  },
};

/** Objects expire, and uploaded tables that wait for their import after a day. */
const lifecycle = (days: number) => ({
  rules: [
    {
      id: 'expire',
      enabled: true,
      conditions: { prefix: '' },
      deleteObjectsTransition: { condition: { type: 'Age', maxAge: days * daySeconds } },
    },
    {
      id: 'expire-tables',
      enabled: true,
      conditions: { prefix: tablePrefix },
      deleteObjectsTransition: { condition: { type: 'Age', maxAge: daySeconds } },
    },
  ],
});

export const provisionSteps: readonly Step[] = [
  chooseAccount,
  checkRights,
  checkHost,
  listApiChanges,
  createDatabases,
  takeLock,
  createNamespaces,
  createQueues,
  createBuckets,
];
