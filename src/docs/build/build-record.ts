import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The inputs of the last build, and the problems of its sources. */
const buildRecord = z.object({
  files: z.array(z.string()),
  digest: z.string(),
  problems: z.array(z.string()),
});

export type BuildRecord = z.output<typeof buildRecord>;

export const buildRecordPath = (root: string) => join(root, 'dist/docs.inputs.json');

/** Files that the build reads itself; a new one changes the site, too. */
const texts = ['src/docs/{guides,samples}/**/*.*', 'CHANGELOG.md', 'package-lock.json'];

const listTexts = (root: string) => globSync(texts, { cwd: root }).map(withSlashes);

const withSlashes = (file: string) => file.replaceAll('\\', '/');

function digestOf(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const path = join(root, file);
    hash
      .update(`${file}\0`)
      .update(existsSync(path) ? readFileSync(path) : 'absent')
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * Returns the record of the last build; `undefined` if there is none, or if a source has changed
 * since.
 */
export function readFreshRecord(root: string): BuildRecord | undefined {
  const path = buildRecordPath(root);
  if (!existsSync(path) || !existsSync(join(root, 'dist/docs/assets.json'))) return undefined;
  const { data } = buildRecord.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  const known = new Set(data?.files);
  const isFresh =
    data !== undefined &&
    listTexts(root).every((file) => known.has(file)) &&
    digestOf(root, data.files) === data.digest;
  return isFresh ? data : undefined;
}

/** Returns the record of a build. `modules` are the sources of its program. */
export function recordInputs(
  root: string,
  modules: readonly string[],
  problems: readonly string[],
): BuildRecord {
  const files = [...new Set([...listTexts(root), ...modules.map(withSlashes)])].sort();
  return { files, digest: digestOf(root, files), problems: [...problems] };
}
