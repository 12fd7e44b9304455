import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { numberShardStatements } from '../../data/shards/shard-numbers.ts';
import type { DatabaseResource } from './deployment-resources.ts';
import { completeSecrets, readSecrets } from './secrets-file.ts';
import { type DeployRun, deriveConfigs, type Step } from './step.ts';
import { CommandError, formatCommand } from './wrangler.ts';

const secretList = z.array(z.object({ name: z.string() }));

/** Every key of wrangler.toml, whose local value is public, the key of `/ready`, and the token of the set-up link. */
const neededSecrets = ({ local }: DeployRun) => [
  ...new Set([
    ...Object.keys(local.vars).filter((name) => name.endsWith('_KEY')),
    'READY_KEY',
    'SETUP_TOKEN',
  ]),
];

const shown = ({ root }: DeployRun, path: string) => relative(root, path) || path;

const toFile = (config: object) => `${JSON.stringify(config, null, 2)}\n`;

const writeConfig: Step = {
  title: 'Derive the configuration',
  plan: (run) => [
    `write ${shown(run, run.paths.config)}: wrangler.toml with https://${run.deployment.host}, ids, limits and logs`,
  ],
  run: async (run) => {
    mkdirSync(run.paths.folder, { recursive: true });
    const { service, watch } = deriveConfigs(run, run.state.state);
    writeFileSync(run.paths.config, toFile(service));
    if (watch) writeFileSync(run.paths.watchConfig, toFile(watch));
  },
};

const makeSecrets: Step = {
  title: 'Make the secrets that are missing',
  plan: (run) => {
    const known = readSecrets(run.paths.secrets);
    const missing = neededSecrets(run).filter((name) => !(name in known));
    const file = shown(run, run.paths.secrets);
    return missing.length === 0
      ? [`${file}: complete`]
      : [`write ${file} (mode 0600): ${missing.join(', ')}`];
  },
  run: async (run) => {
    const { paths, wrangler, print } = run;
    const needed = neededSecrets(run);
    const known = readSecrets(paths.secrets);
    wrangler.hide(Object.values(known));
    if (needed.every((name) => name in known)) return;
    const secrets = completeSecrets(paths.secrets, needed, await listDeployedSecrets(run));
    wrangler.hide(Object.values(secrets));
    print(`  Keep a copy of ${shown(run, paths.secrets)}: nothing else can read what it sealed.`);
  },
};

/** Names of the secrets that the Worker has. None if there is no Worker yet. */
async function listDeployedSecrets(run: DeployRun): Promise<string[]> {
  if ((await readTraffic(run)) === undefined) return [];
  const list = await run.wrangler.runJson(['secret', 'list', '--name', run.deployment.name]);
  return secretList.parse(list).map(({ name }) => name);
}

const configFlag = ({ paths }: DeployRun) => ['--config', paths.config];

const migrationCommand = (run: DeployRun, { binding }: DatabaseResource) => [
  'd1',
  'migrations',
  'apply',
  binding,
  '--remote',
  ...configFlag(run),
];

/** Runs statements on a database. Callers make them safe to repeat. */
export const executeCommand = (run: DeployRun, binding: string, statements: readonly string[]) => [
  'd1',
  'execute',
  binding,
  '--remote',
  '--yes',
  ...configFlag(run),
  '--command',
  statements.join('; '),
];

const migrate: Step = {
  title: 'Migrate every database, and number the shards',
  plan: (run) =>
    run.resources.databases.flatMap((database) => [
      formatCommand(migrationCommand(run, database)).replace(
        run.paths.config,
        shown(run, run.paths.config),
      ),
      ...(database.shard === undefined ? [] : [`  then its ids begin at ${database.shard} * 2^36`]),
    ]),
  run: async (run) => {
    for (const database of run.resources.databases) {
      await run.wrangler.run(migrationCommand(run, database));
      if (database.shard === undefined) continue;
      const statements = numberShardStatements(database.shard);
      await run.wrangler.run(executeCommand(run, database.binding, statements));
    }
  },
};

export const prepareSteps: readonly Step[] = [writeConfig, makeSecrets, migrate];

/** Where wrangler writes the id of a version that it uploads. */
export const outputFile = ({ paths }: DeployRun) => join(paths.folder, 'wrangler-output.ndjson');

const deploymentStatus = z.object({
  versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
});

/** The versions that have the traffic now; `undefined` if there is no Worker yet. */
export async function readTraffic({ wrangler, deployment }: DeployRun) {
  try {
    const status = ['deployments', 'status', '--json', '--name', deployment.name];
    return deploymentStatus.parse(await wrangler.runJson(status)).versions;
  } catch (error) {
    if (error instanceof CommandError && error.hasCode(10007, 10090)) return undefined;
    throw error;
  }
}
