import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { randomBase64 } from '../base/crypto/random.ts';

const secretsSchema = z.record(z.string(), z.string().min(16));

export type Secrets = z.output<typeof secretsSchema>;

/** Reads the secrets file; `{}` if there is none. Throws if others can read it. */
export function readSecrets(path: string): Secrets {
  if (!existsSync(path)) return {};
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new Error(`${path} can be read by others. Run: chmod 600 ${path}`);
  }
  const { data } = secretsSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!data) throw new Error(`${path} must hold names and secrets of at least 16 characters.`);
  return data;
}

/**
 * Adds the secrets that the file lacks and returns all. A secret that the Worker already has
 * (`deployed`) is never replaced: data sealed with it would be lost.
 */
export function completeSecrets(
  path: string,
  needed: readonly string[],
  deployed: readonly string[],
): Secrets {
  const secrets = readSecrets(path);
  const missing = needed.filter((name) => !(name in secrets));
  const lost = missing.filter((name) => deployed.includes(name));
  if (lost.length > 0) {
    throw new Error(
      `${path} lacks ${lost.join(', ')}, which the Worker has. Restore the file from your copy: a new ` +
        'key would make stored secrets unreadable.',
    );
  }
  if (missing.length === 0) return secrets;
  for (const name of missing) secrets[name] = randomBase64(32);
  // Written to a second file and renamed, so that a crash leaves the old file or the new one.
  // A file that is there already would keep its own mode, or lead elsewhere.
  rmSync(`${path}.new`, { force: true });
  const text = `${JSON.stringify(secrets, null, 2)}\n`;
  writeFileSync(`${path}.new`, text, { mode: 0o600, flag: 'wx' });
  renameSync(`${path}.new`, path);
  return secrets;
}
