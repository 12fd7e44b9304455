import type { Deployment } from './deployment-file.ts';
import type { LocalConfig } from './local-config.ts';

/** Resources that a deployment needs in the account, by binding. */
export interface Resources {
  databases: DatabaseResource[];
  /** KV namespaces. */
  namespaces: { binding: string; name: string }[];
  queues: string[];
  buckets: string[];
}

export interface DatabaseResource {
  binding: string;
  name: string;
  /** The folder of its migrations, relative to the project. */
  migrations: string;
  /** `undefined` for the directory. */
  shard: number | undefined;
}

/** Bindings that only the demo uses. */
const demoBindings = new Set(['DEMO']);

export const isDeployed = ({ binding }: { binding: string }) => !demoBindings.has(binding);

/** The name of a queue, a bucket or a database in the account. */
export const resourceName = ({ name }: Deployment, localName: string) => `${name}-${localName}`;

/** A data set of Analytics Engine. Its SQL takes no hyphens. */
export const datasetName = (deployment: Deployment, localName: string) =>
  resourceName(deployment, localName.replace(/_local$/, '')).replaceAll('-', '_');

/** The Worker that watches the service, and its KV namespace. */
export const watchName = (deployment: Deployment) => resourceName(deployment, 'watch');

/** More fast queues gain nothing: the platform adds consumers to each of them. */
const maxFastQueues = 32;

/**
 * The queues of wrangler.toml, and further fast ones like its first, so that each shard has its
 * own. Then the wake-ups of a batch belong to one shard, and cost one lease.
 */
export function deployedQueues({ queues }: LocalConfig, { shards }: Deployment) {
  const { producers, consumers } = queues;
  const fast = producers.filter(({ binding }) => binding.startsWith('WAKEUP_FAST_'));
  const wanted = Math.min(shards, maxFastQueues);
  const numbers = Array.from({ length: wanted }, (_, number) => number).slice(fast.length);
  const [first] = fast;
  if (!first || numbers.length === 0) return queues;
  const nameOf = (number: number) => first.queue.replace(/0$/, String(number));
  const consumersOfFirst = consumers.filter(({ queue }) => queue === first.queue);
  return {
    producers: [
      ...producers,
      ...numbers.map((number) => ({
        ...first,
        binding: `WAKEUP_FAST_${number}`,
        queue: nameOf(number),
      })),
    ],
    consumers: [
      ...consumers,
      ...numbers.flatMap((number) =>
        consumersOfFirst.map((consumer) => ({ ...consumer, queue: nameOf(number) })),
      ),
    ],
  };
}

/**
 * Lists the required resources. Throws for a database of wrangler.toml that is neither the
 * directory nor a shard.
 */
export function deploymentResources(local: LocalConfig, deployment: Deployment): Resources {
  const nameOf = (localName: string) => resourceName(deployment, localName);
  const { producers, consumers } = deployedQueues(local, deployment);
  const queues = [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue: dead }) => [queue, ...(dead ? [dead] : [])]),
  ];
  return {
    databases: listDatabases(local, deployment),
    namespaces: [
      ...local.kv_namespaces.filter(isDeployed).map(({ binding }) => binding),
      ...(deployment.alerts ? ['WATCH'] : []),
    ].map((binding) => ({ binding, name: nameOf(binding.toLowerCase().replaceAll('_', '-')) })),
    queues: [...new Set(queues)].map(nameOf),
    buckets: local.r2_buckets.map(({ bucket_name: bucket }) => nameOf(bucket)),
  };
}

function listDatabases(local: LocalConfig, deployment: Deployment): DatabaseResource[] {
  const unknown = local.d1_databases.find(
    ({ binding }) => !/^(?:DIRECTORY|STORE_\d+)$/.test(binding),
  );
  if (unknown) throw new Error(`No rule says how to deploy the database ${unknown.binding}.`);
  const migrationsOf = (kind: RegExp): string => {
    const database = local.d1_databases.find(({ binding }) => kind.test(binding));
    if (!database) throw new Error(`wrangler.toml has no database ${kind.source}.`);
    return database.migrations_dir;
  };
  const storeMigrations = migrationsOf(/^STORE_/);
  return [
    {
      binding: 'DIRECTORY',
      name: resourceName(deployment, 'directory'),
      migrations: migrationsOf(/^DIRECTORY$/),
      shard: undefined,
    },
    ...Array.from({ length: deployment.shards }, (_, shard) => ({
      binding: `STORE_${shard}`,
      name: resourceName(deployment, `store-${shard}`),
      migrations: storeMigrations,
      shard,
    })),
  ];
}
