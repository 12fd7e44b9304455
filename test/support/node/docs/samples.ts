import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { fillPlaceholders, type Placeholders } from '../../../../src/docs/placeholders.ts';
import { isInstalled } from '../receivers/is-installed.ts';

const folder = resolve(import.meta.dirname, '../../../../src/docs/samples');

/** The languages of the samples, and what runs them. */
export const sampleRunners = [
  { key: 'curl', ending: 'sh', program: 'bash', args: [] },
  { key: 'typescript', ending: 'ts', program: process.execPath, args: [] },
  { key: 'php', ending: 'php', program: 'php', args: [] },
  { key: 'python', ending: 'py', program: 'python3', args: [] },
  { key: 'ruby', ending: 'rb', program: 'ruby', args: [] },
  { key: 'go', ending: 'go', program: 'go', args: ['run'] },
] as const;

export type SampleLanguage = (typeof sampleRunners)[number];

/** Whether a sample exists in a language. */
export const hasSample = (name: string, { ending }: SampleLanguage) =>
  existsSync(join(folder, `${name}.${ending}`));

/**
 * Whether this machine runs a language; its tests are skipped otherwise. `go` has no `--version`.
 */
export const runsHere = ({ key, program }: SampleLanguage) =>
  key === 'go' ? isInstalled('gofmt') : isInstalled(program);

/** The values of the demo. */
export const demoValues = (origin: string): Placeholders => ({
  origin,
  service: 'Service',
  SERVICE: 'SERVICE',
  brand: 'Service',
  icon: 'data:,',
  user_token: 'demo-user-token',
  user_secret: 'sk_demo_secret_key',
  operator_token: 'olga-user-token',
  operator_secret: 'sk_olga_secret_key',
  store: 'demo',
  reader: '',
  reader_docs: '',
  reader_guides: '',
  reader_reference: '',
  reader_note: '',
});

/** The text of a block of code on a page, as its Copy button gives it. */
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(x?)([\da-f]+);/gi, (_all, isHex: string, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, isHex ? 16 : 10)),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** Returns all blocks of code of a served page, as a reader copies them. */
export async function codeOfPage(url: string): Promise<string[]> {
  const page = await fetch(url);
  return Array.from((await page.text()).matchAll(/<pre[^>]*>[^]*?<\/pre>/g), ([html]) =>
    textOf(html),
  );
}

/** Where and how a sample runs. */
export interface SampleRun {
  /** A folder of its own, which is also the working directory. */
  cwd: string;
  origin: string;
  /** The folder of the built client. */
  clientPackage: string;
  env?: Record<string, string>;
  /** Parts of the text to replace, so that runs side by side do not meet. */
  replace?: Record<string, string>;
}

/**
 * Writes a sample as a reader would, with the values of the demo. Returns the command that runs it.
 */
export async function writeSample(
  name: string,
  { ending, program, args, key }: SampleLanguage,
  { cwd, origin, clientPackage, replace = {} }: SampleRun,
): Promise<[program: string, ...args: string[]]> {
  const file = `${name}.${ending}`;
  let code = fillPlaceholders(readFileSync(join(folder, file), 'utf8'), demoValues(origin));
  for (const [part, other] of Object.entries(replace)) code = code.replaceAll(part, other);
  const path = join(cwd, file);
  writeFileSync(path, code);
  if (key !== 'typescript') return [program, ...args, path];
  const outfile = path.replace(/ts$/, 'mjs');
  await build({
    entryPoints: [path],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    alias: { 'online-store-administration-client': join(clientPackage, 'index.js') },
    logLevel: 'silent',
  });
  return [program, outfile];
}

/** Starts a program; `env` is added to the environment. */
export function startProgram(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env }: Pick<SampleRun, 'cwd' | 'env'>,
) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  const ended = Promise.all([text(child.stdout), text(child.stderr), closed]).then(
    ([stdout, stderr, [code]]) => ({ stdout, output: stdout + stderr, succeeded: code === 0 }),
  );
  return { child, ended };
}

/** Runs a sample to its end. Throws with its output if it fails. */
export async function runSample(
  name: string,
  language: SampleLanguage,
  run: SampleRun,
): Promise<string> {
  const { stdout, output, succeeded } = await startProgram(
    await writeSample(name, language, run),
    run,
  ).ended;
  if (!succeeded) throw new Error(`${name} in ${language.key}: ${output}`);
  return stdout;
}
