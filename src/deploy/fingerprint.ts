import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DeployRun } from './step.ts';

/** Sources that a version does not contain. The documentation is made of texts, too. */
const isOutside = (file: string) =>
  /^(?:demo|deploy)\//.test(file) || (!/\.tsx?$/.test(file) && !/^docs\/.+\..+$/.test(file));

/** A digest of everything that a version consists of. The same digest is the same release. */
export function computeFingerprint({ root, paths }: DeployRun): string {
  const hash = createHash('sha256');
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !isOutside(file))
    .sort()
    .map((file) => join(root, 'src', file));
  const files = [...sources, join(root, 'package-lock.json'), paths.config, paths.secrets];
  for (const file of files.filter((path) => existsSync(path))) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}
