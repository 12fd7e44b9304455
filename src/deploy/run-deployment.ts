import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { setupPath } from '../base/page-paths.ts';
import {
  askLive,
  chooseAccount,
  createBuckets,
  createDatabases,
  createNamespacesAndQueues,
  listSecrets,
} from './account.ts';
import { assertLock, giveLockBack, takeLock } from './deploy-lock.ts';
import { listApiChanges } from './list-api-changes.ts';
import { migrate, migrateDatabase } from './migrate.ts';
import {
  checkReady,
  deployWatch,
  openNewShards,
  shiftTraffic,
  upload,
  type Release,
} from './release.ts';
import { deriveConfigs, type DeployRun } from './run.ts';
import { completeSecrets, readSecrets } from './secrets-file.ts';

const shown = ({ root }: DeployRun, path: string) => relative(root, path) || path;

/** Derives the configuration from wrangler.toml, with the ids of the account. */
function writeConfigs(run: DeployRun): void {
  const { paths, ids } = run;
  mkdirSync(paths.folder, { recursive: true });
  const { service, watch } = deriveConfigs(run, ids);
  const write = (path: string, config: object) =>
    writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  write(paths.config, service);
  if (watch) write(paths.watchConfig, watch);
}

/**
 * Makes the secrets that are missing: every key of wrangler.toml, whose local value is public, and
 * two more.
 */
async function makeSecrets(run: DeployRun): Promise<void> {
  const { local, paths, wrangler, print } = run;
  const keys = Object.keys(local.vars).filter((name) => name.endsWith('_KEY'));
  // The key of `/ready`, and the token of the set-up link.
  const needed = [...new Set([...keys, 'READY_KEY', 'SETUP_TOKEN'])];
  const known = readSecrets(paths.secrets);
  wrangler.hide(Object.values(known));
  if (needed.every((name) => name in known)) return;
  const secrets = completeSecrets(paths.secrets, needed, await listSecrets(run));
  wrangler.hide(Object.values(secrets));
  print(`  Keep a copy of ${shown(run, paths.secrets)}: nothing else can read what it sealed.`);
}

/** Takes the lock. A new directory gets its schema first, which has the lock. */
const takeFirst = (run: DeployRun) =>
  takeLock(run, async () => {
    const [directory] = run.resources.databases;
    writeConfigs(run);
    if (directory) await migrateDatabase(run, directory);
  });

/** Takes a step, or only names it. */
type Take = <T>(title: string, step: (run: DeployRun) => T | Promise<T>) => Promise<T>;

/**
 * All steps in their order. Each asks the account first, so that all of them can run again at any
 * time.
 */
async function takeSteps(take: Take): Promise<Release> {
  await take('Choose the account', chooseAccount);
  await take('Look what is live, and who has the host', askLive);
  await take('List what changes for callers', listApiChanges);
  await take('Find or create the databases', createDatabases);
  await take('Find or create the KV namespaces and the queues', createNamespacesAndQueues);
  await take('Take the lock, so that no other run deploys', takeFirst);
  await take('Find or create the buckets, whose objects expire', createBuckets);
  await take('Derive the configuration', writeConfigs);
  await take('Make the secrets that are missing', makeSecrets);
  await take('Migrate every database, and number the shards', migrate);
  await take('Deploy the Worker that watches, and posts alerts', deployWatch);
  const release = await take('Upload a version with its secrets', upload);
  await take('Put it beside the live one, and ask whether it is ready', (run) =>
    checkReady(run, release),
  );
  await take('Give it all the traffic; apply host, cron and queue consumers', (run) =>
    shiftTraffic(run, release),
  );
  await take('Open the new shards', openNewShards);
  return release;
}

/** Prints every step, and the resources that must exist. Calls nothing and writes nothing. */
export async function printPlan({ print, deployment, resources }: DeployRun): Promise<void> {
  const { databases, namespaces, queues, buckets } = resources;
  print(
    `Plan for ${deployment.name} at https://${deployment.host} (nothing is called or written):`,
  );
  let number = 0;
  await takeSteps((title) => {
    number += 1;
    print(`${number}. ${title}`);
    return Promise.resolve(undefined as never);
  });
  const place = deployment.jurisdiction ?? deployment.location;
  print(`Databases in ${place}, KV namespaces, queues and buckets:`);
  for (const { name } of [...databases, ...namespaces]) print(`  ${name}`);
  for (const name of [...queues, ...buckets]) print(`  ${name}`);
}

/** Takes all steps in turn. Throws at the first that fails, with an error that can be shown. */
export async function deploy(run: DeployRun): Promise<Release> {
  let number = 0;
  try {
    return await takeSteps(async (title, step) => {
      number += 1;
      run.print(`${number}. ${title}`);
      try {
        assertLock(run);
        return await step(run);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new Error(
          `Step ${number}, ${title}, failed:\n\n${reason}\n\nMend the cause and run npm run deploy again. What is ` +
            'done stays done.',
          { cause },
        );
      }
    });
  } finally {
    await giveLockBack(run);
  }
}

/**
 * Information for an operator after a deployment: the address, the way back, and the first
 * operator. Only a terminal gets the link that makes one: others keep what is printed, such as the
 * log of a CI job.
 */
export async function describeResult(
  run: DeployRun,
  { version, previous }: Pick<Release, 'version' | 'previous'>,
  isTerminal: boolean,
): Promise<string> {
  const { deployment, paths } = run;
  const back = previous
    ? `npx wrangler versions deploy ${previous}@100% --yes --config ${shown(run, paths.config)}`
    : 'none: this is the first version';
  return `
Live: https://${deployment.host} (version ${version})
Back to the version before: ${back}
${await describeSetup(run, isTerminal)}
/operator is the page of operators; npm run operator -- --help has the same on the command line.`;
}

/** The link that creates the first operator, unless the service reports that there is one. */
async function describeSetup(run: DeployRun, isTerminal: boolean): Promise<string> {
  const { deployment, paths } = run;
  const token = encodeURIComponent(readSecrets(paths.secrets)['SETUP_TOKEN'] ?? '');
  const link = `https://${deployment.host}${setupPath(token)}`;
  if (await isSetUp(run, link)) return `Operators sign in at https://${deployment.host}/operator.`;
  return isTerminal
    ? `Make the first operator with this link. It works once, and no longer once there is one:\n  ${link}`
    : `There is no operator yet. The link that makes the first one is printed to a terminal only. It is
  https://${deployment.host}${setupPath('TOKEN')}, with SETUP_TOKEN of ${shown(run, paths.secrets)} for TOKEN.`;
}

/** Whether there is an operator: the link is a 404 then. `false` if the service does not answer. */
async function isSetUp(run: DeployRun, link: string): Promise<boolean> {
  try {
    const options = { redirect: 'manual', signal: AbortSignal.timeout(15_000) } as const;
    return (await run.fetch(link, options)).status === 404;
  } catch {
    return false;
  }
}
