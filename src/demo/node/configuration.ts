import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { convertV4MiniflareOptions } from 'miniflare';

type WorkerOptions = Parameters<typeof convertV4MiniflareOptions>[0];

/** What the local runtime needs of wrangler.toml. */
export interface LocalConfiguration {
  /** The options of Miniflare, without modules. */
  workerOptions: WorkerOptions & { bindings?: Record<string, unknown> };
  /** The entry of the Worker. */
  main: string;
  databases: { binding: string; migrations_dir?: string }[];
  crons: string[];
}

/**
 * Reads wrangler.toml of the folder `root`, with `.dev.vars`. In a process that ends: wrangler, once loaded, would hold 120 MB
 * as long as the service runs.
 */
export async function readConfiguration(root: string): Promise<LocalConfiguration> {
  const script = join(import.meta.dirname, 'print-configuration.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, root]);
  // The last line has this type. Before it, wrangler tells whether there is a file `.dev.vars`.
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as LocalConfiguration;
}
