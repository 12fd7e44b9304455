import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { convertV4MiniflareOptions } from 'miniflare';

type WorkerOptions = Parameters<typeof convertV4MiniflareOptions>[0];

/** The parts of wrangler.toml that the local runtime needs. */
export interface LocalConfiguration {
  /** The options of Miniflare, without modules. */
  workerOptions: WorkerOptions & { assets?: unknown; bindings?: Record<string, unknown> };
  /** The entry of the Worker. */
  main: string;
  databases: { binding: string; migrations_dir?: string }[];
  crons: string[];
}

/**
 * Reads wrangler.toml of the folder `root`, with `.dev.vars`. In a process that ends: wrangler,
 * once loaded, would hold 120 MB as long as the service runs. Keeps the result, since it takes two
 * seconds of CPU, unless a file may hold secrets.
 */
export async function readConfiguration(root: string): Promise<LocalConfiguration> {
  const kept = keptConfiguration(root);
  if (kept !== undefined && existsSync(kept)) return parse(readFileSync(kept, 'utf8'));
  const script = join(import.meta.dirname, 'print-configuration.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, root]);
  // The last line has this type. Before it, wrangler reports whether there is a file `.dev.vars`.
  const text = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (kept !== undefined) {
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(kept, text);
  }
  return parse(text);
}

const parse = (text: string) => JSON.parse(text) as LocalConfiguration;

/**
 * Returns the file for the configuration that wrangler derives from wrangler.toml; `undefined`
 * where other files and variables change that.
 */
function keptConfiguration(root: string): string | undefined {
  const hasOthers = ['.dev.vars', '.env', '.env.local'].some((file) =>
    existsSync(join(root, file)),
  );
  if (
    hasOthers ||
    Object.keys(process.env).some((name) => /^(?:CLOUDFLARE|WRANGLER)_/.test(name))
  ) {
    return undefined;
  }
  const digest = createHash('sha256').update(root);
  for (const file of ['wrangler.toml', 'package-lock.json']) {
    digest.update('\0').update(readFileSync(join(root, file)));
  }
  return join(root, 'dist', `configuration.${digest.digest('hex').slice(0, 16)}.json`);
}
