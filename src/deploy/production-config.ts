import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { randomBase64 } from '../base/crypto/random.ts';
import { settingsOf } from '../base/settings.ts';
import type { Deployment, Location } from './deployment-file.ts';
import {
  deployedQueues,
  isDeployed,
  deploymentResources,
  datasetName,
  resourceName,
  watchName,
} from './deployment-resources.ts';
import type { LocalConfig } from './local-config.ts';
import { isKeyName, productionVars } from './production-vars.ts';

/** Ids of existing resources, by binding. */
export interface ResourceIds {
  databases: Readonly<Record<string, string>>;
  namespaces: Readonly<Record<string, string>>;
}

interface Source {
  local: LocalConfig;
  deployment: Deployment;
  ids: ResourceIds;
  /** The project, and the folder that the configuration is written to. */
  root: string;
  folder: string;
}

/**
 * No run needs more: a sweep or a batch of deliveries takes below a second. A bug that loops must
 * not run, and be paid for, until the limit of the platform.
 */
const cpuMs = 10_000;

/**
 * Derives the configuration of a deployment (as JSON for wrangler) from wrangler.toml, so that a
 * binding is declared once. Throws if an id is missing, malformed or used twice, or if the Worker
 * would refuse the variables.
 */
export function createProductionConfig({ local, deployment, ids, root, folder }: Source) {
  const fromFolder = (path: string) => relative(folder, join(root, path)).replaceAll('\\', '/');
  const nameOf = (localName: string) => resourceName(deployment, localName);
  const { databases } = deploymentResources(local, deployment);
  const { producers, consumers } = deployedQueues(local, deployment);
  const vars = productionVars(local.vars, deployment);
  assertAccepted(vars, local);
  assertIds(ids);
  return {
    ...local,
    name: deployment.name,
    main: fromFolder('src/index.ts'),
    alias: Object.fromEntries(
      Object.entries(local.alias).map(([name, path]) => [name, fromFolder(path)]),
    ),
    assets: { ...local.assets, directory: fromFolder(local.assets.directory) },
    ...(deployment.account_id && { account_id: deployment.account_id }),
    send_metrics: false,
    // The host is the only address: no second one that rules for the zone (WAF, access) do not
    // cover.
    workers_dev: false,
    preview_urls: false,
    routes: [{ pattern: deployment.host, custom_domain: true }],
    limits: { cpu_ms: cpuMs },
    ...placementOf(deployment),
    tail_consumers: deployment.alerts ? [{ service: watchName(deployment) }] : [],
    observability: {
      enabled: true,
      head_sampling_rate: deployment.log_sampling,
      // Queries hold personal data, such as the name that a list is filtered by.
      redact_query_string: true,
      // The Worker writes one line per request itself; a second one would double the price.
      logs: { enabled: true, invocation_logs: false },
    },
    vars,
    d1_databases: databases.map(({ binding, name, migrations }) => ({
      binding,
      database_name: name,
      database_id: idOf(ids.databases, binding),
      migrations_dir: fromFolder(migrations),
    })),
    kv_namespaces: local.kv_namespaces
      .filter(isDeployed)
      .map(({ binding }) => ({ binding, id: idOf(ids.namespaces, binding) })),
    queues: {
      producers: producers.map((producer) => ({
        ...producer,
        queue: nameOf(producer.queue),
      })),
      // As in wrangler.toml, without `max_concurrency`: the platform adds consumers while a backlog
      // grows (up to 250).
      consumers: consumers.map(({ queue, dead_letter_queue: dead, ...consumer }) => ({
        ...consumer,
        queue: nameOf(queue),
        ...(dead && { dead_letter_queue: nameOf(dead) }),
      })),
    },
    r2_buckets: local.r2_buckets.map((bucket) => ({
      ...bucket,
      bucket_name: nameOf(bucket.bucket_name),
      ...(deployment.jurisdiction && { jurisdiction: deployment.jurisdiction }),
    })),
    analytics_engine_datasets: local.analytics_engine_datasets.map((dataset) => ({
      ...dataset,
      dataset: datasetName(deployment, dataset.dataset),
    })),
    // A deployment without a sender has no binding, so that no mail is sent in a name that is not
    // its own.
    send_email: deployment.mail
      ? local.send_email.map(({ name }) => ({
          name,
          allowed_sender_addresses: [deployment.mail?.from],
        }))
      : [],
    ratelimits: local.ratelimits.map(({ name }, index) => ({
      name,
      namespace_id: limiterId(deployment, index),
      simple: { limit: limitOf(name, vars), period: 60 },
    })),
  };
}

/**
 * A cloud region in each location of D1: the platform runs a Worker at the data centre that is
 * nearest to it.
 */
const cloudRegions: Readonly<Record<Location, string>> = {
  wnam: 'aws:us-west-2',
  enam: 'aws:us-east-1',
  weur: 'aws:eu-central-1',
  eeur: 'gcp:europe-central2',
  apac: 'aws:ap-southeast-1',
  oc: 'aws:ap-southeast-2',
};

/**
 * Where the Worker runs. Next to its databases a request pays the distance once, however many round
 * trips it makes.
 */
function placementOf({ location, placement }: Deployment) {
  const chosen = placement ?? cloudRegions[location];
  return { placement: chosen === 'callers' ? undefined : { region: chosen } };
}

/**
 * Derives the configuration of the Worker that watches the service; `undefined` without an address
 * for alerts.
 */
export function createWatchConfig({ local, deployment, ids, root, folder }: Source) {
  if (!deployment.alerts) return undefined;
  return {
    name: watchName(deployment),
    main: relative(folder, join(root, 'src/ops/watch/watch.ts')).replaceAll('\\', '/'),
    compatibility_date: local.compatibility_date,
    ...(deployment.account_id && { account_id: deployment.account_id }),
    send_metrics: false,
    // It has no address: the platform hands it logs and starts it each minute.
    workers_dev: false,
    preview_urls: false,
    triggers: { crons: ['* * * * *'] },
    rules: [{ type: 'Text', globs: ['**/*.md'] }],
    observability: { enabled: true },
    vars: {
      DEPLOYMENT_NAME: deployment.name,
      SERVICE_URL: `https://${deployment.host}`,
      RUNBOOK_URL: deployment.alerts.runbook ?? '',
      ...(deployment.alerts.order && {
        ORDER_ALIAS: deployment.alerts.order.alias,
        ORDER_SKU_ID: String(deployment.alerts.order.sku_id),
      }),
    },
    kv_namespaces: [{ binding: 'WATCH', id: idOf(ids.namespaces, 'WATCH') }],
  };
}

/**
 * A limiter `X_LIMIT` admits `X_PER_MINUTE`, and `X_WIDE_LIMIT`, for many networks together, ten
 * times as much.
 */
function limitOf(limiter: string, vars: Readonly<Record<string, string>>): number {
  const [, base = '', wide] = /^(.+?)(_WIDE)?_LIMIT$/.exec(limiter) ?? [];
  const perMinute = Number(vars[`${base}_PER_MINUTE`]);
  if (!(perMinute > 0)) throw new Error(`No variable says how much ${limiter} admits.`);
  return wide ? perMinute * 10 : perMinute;
}

/**
 * Limiters with one id share their counters in the whole account, so each deployment gets ids of
 * its own. They are below 2^31, and constant, since a new id would begin at zero.
 */
function limiterId({ name }: Deployment, index: number): string {
  const prefix = createHash('sha256').update(name).digest().readUIntBE(0, 3);
  return String(prefix * 100 + index + 1);
}

function idOf(ids: Readonly<Record<string, string>>, binding: string): string {
  const id = ids[binding];
  if (id === undefined) throw new Error(`The id of ${binding} is not known.`);
  return id;
}

function assertIds({ databases, namespaces }: ResourceIds) {
  const all = [...Object.entries(databases), ...Object.entries(namespaces)];
  const malformed = all.find(
    ([, id]) => !/^[0-9a-f]{32}$/.test(id.replaceAll('-', '')) || new Set(id).size < 4,
  );
  if (malformed) throw new Error(`The id of ${malformed[0]} is a placeholder: ${malformed[1]}`);
  if (new Set(all.map(([, id]) => id)).size < all.length) {
    throw new Error('Two resources have the same id.');
  }
}

/** Checks the variables with the Worker's own check of its settings, before anything is created. */
function assertAccepted(vars: Readonly<Record<string, string>>, local: LocalConfig) {
  const keys = Object.keys(local.vars).filter(isKeyName);
  const secrets = Object.fromEntries(keys.map((name) => [name, randomBase64(32)]));
  settingsOf({ ...vars, ...secrets } as unknown as Env);
}
