/**
 * Prints what `readConfiguration` returns, as JSON in the last line. Argument: the folder of
 * wrangler.toml. Runs in Node.
 */
import { resolve } from 'node:path';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';

// The published types of wrangler refer to packages that are not published.
interface Config {
  d1_databases: { binding: string; migrations_dir?: string }[];
  triggers: { crons?: string[] };
}

const config = unstable_readConfig({ config: resolve(process.argv[2] ?? '.', 'wrangler.toml') });
const { workerOptions, main } = unstable_getMiniflareWorkerOptions(config);
if (!main) throw new Error('wrangler.toml has no main.');
const { d1_databases: databases, triggers }: Config = config;
console.log(JSON.stringify({ workerOptions, main, databases, crons: triggers.crons ?? [] }));
