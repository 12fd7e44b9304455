import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { readDeployment } from '../../../../src/deploy/deployment-file.ts';
import { readLocalConfig } from '../../../../src/deploy/local-config.ts';
import type { Release } from '../../../../src/deploy/release.ts';
import { deploy } from '../../../../src/deploy/run-deployment.ts';
import { createRun, type RunEnds } from '../../../../src/deploy/run.ts';
import { memoryFolder } from '../../memory-folder.ts';
import { apiToken } from './fake-account.ts';
import type { Fault, FakeCloudflare } from './fake-cloudflare.ts';
import { deploymentFile, projectRoot } from './production-config.ts';

const local = readLocalConfig(projectRoot);

const version = `CREATE TABLE schema_version (id integer PRIMARY KEY, version integer);
--> statement-breakpoint
INSERT INTO schema_version VALUES (1, 1);
`;

const directorySql = `CREATE TABLE shards (number integer PRIMARY KEY);
--> statement-breakpoint
CREATE TABLE deploy_locks (id integer PRIMARY KEY, until integer, holder text);
--> statement-breakpoint
CREATE TRIGGER locks_kept BEFORE DELETE ON deploy_locks BEGIN SELECT raise(abort, 'kept'); END;
--> statement-breakpoint
${version}`;

/**
 * The part of the schema that numbering a shard and asking for long changes need, and a trigger.
 */
const storeSql = `CREATE TABLE shard_identity (id integer PRIMARY KEY, number integer);
--> statement-breakpoint
CREATE TABLE sequences (kind text PRIMARY KEY, last integer);
--> statement-breakpoint
CREATE TABLE orders (id integer PRIMARY KEY AUTOINCREMENT);
--> statement-breakpoint
CREATE TABLE placements (store_id integer PRIMARY KEY);
--> statement-breakpoint
CREATE TABLE long_changes (name text PRIMARY KEY, finished_at integer);
--> statement-breakpoint
CREATE TRIGGER orders_counted AFTER INSERT ON orders BEGIN UPDATE sequences SET last = last; END;
--> statement-breakpoint
${version}`;

/**
 * A project with one source file, and what deploys it. Bindings are those of the real
 * wrangler.toml.
 */
export class DeployProject {
  // Each step of a deployment replaces a file.
  readonly root = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'deploy-project-'));
  readonly deploymentFile = join(this.root, 'deployment.json');
  readonly secretsFile = join(this.root, 'deployment.secrets.json');
  /** How far a restore of a store is. */
  readonly restoreFile = join(this.root, '.wrangler/deploy', deploymentFile.name, 'restore.json');
  /** The printed text of all runs. */
  output = '';

  /** A project as `original` is now, or a new one. */
  constructor(original?: DeployProject) {
    if (original) {
      cpSync(original.root, this.root, { recursive: true });
      return;
    }
    mkdirSync(join(this.root, 'src/ops/watch'), { recursive: true });
    writeFileSync(join(this.root, 'src/ops/watch/watch.ts'), 'export default {};');
    this.addMigration('directory', '0000_initial.sql', directorySql);
    this.addMigration('store', '0000_initial.sql', storeSql);
    writeFileSync(join(this.root, 'package-lock.json'), '{}');
    mkdirSync(join(this.root, 'dist/docs'), { recursive: true });
    writeFileSync(join(this.root, 'dist/docs/index.html'), '<!doctype html>');
    this.changeSource('export default {};');
    this.changeDeployment({});
  }

  addMigration(database: 'directory' | 'store', file: string, sql: string) {
    const folder = join(this.root, 'drizzle', database);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), sql);
  }

  changeSource(text: string) {
    writeFileSync(join(this.root, 'src/index.ts'), text);
  }

  changeSecrets(secrets: object) {
    writeFileSync(this.secretsFile, JSON.stringify(secrets), { mode: 0o600 });
  }

  changeDeployment(change: object) {
    writeFileSync(this.deploymentFile, JSON.stringify({ ...deploymentFile, ...change }));
  }

  createRun(ends: RunEnds) {
    const print = (line: string) => {
      this.output += `${line}\n`;
    };
    const deployment = readDeployment(this.deploymentFile);
    const { root, deploymentFile: path } = this;
    const ready = { timeoutMs: 30, pauseMs: 1 };
    return createRun({ root, deploymentFile: path, deployment, local, print }, { ready, ...ends });
  }

  /** Runs `npm run deploy` against an account, of which one call may go wrong. */
  async deploy(cloudflare: FakeCloudflare, fault?: Fault, ends: RunEnds = {}): Promise<Release> {
    return await this.untilKilled(cloudflare, fault, (account) =>
      deploy(this.createRun({ ...account, ...ends })),
    );
  }

  /** Does work with an account, of which one call may go wrong. Rejects when the fault kills it. */
  async untilKilled<T>(
    cloudflare: FakeCloudflare,
    fault: Fault | undefined,
    work: (account: Pick<RunEnds, 'execute' | 'fetch'>) => Promise<T>,
  ): Promise<T> {
    const killed = Promise.withResolvers<never>();
    let isDead = false;
    cloudflare.calls = [];
    cloudflare.fault = fault;
    cloudflare.kill = () => {
      isDead = true;
      killed.reject(new Error('SIGKILL'));
    };
    // Nothing of a killed run goes on, neither a call nor what follows an answer.
    const unlessDead = async <A>(call: () => Promise<A>): Promise<A> => {
      const answer = isDead ? undefined : await call();
      return isDead || answer === undefined ? await new Promise<never>(() => {}) : answer;
    };
    try {
      return await Promise.race([
        killed.promise,
        work({
          execute: (...args) => unlessDead(() => cloudflare.execute(...args)),
          fetch: (...args) => unlessDead(() => cloudflare.fetch(...args)),
        }),
      ]);
    } finally {
      assert.deepEqual(cloudflare.wrong, []);
    }
  }

  /**
   * Takes the sources, the migrations and the documentation of the service in place of the stubs.
   */
  useService() {
    this.#link(['src', 'drizzle', 'dist', 'package-lock.json', 'node_modules']);
  }

  /** Takes the commands of operators, and leaves the Worker a stub. */
  useCommands() {
    const folders = readdirSync(join(projectRoot, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join('src', name));
    const files = ['dist', 'CHANGELOG.md', 'package-lock.json', 'wrangler.toml', 'node_modules'];
    this.#link([...folders, ...files]);
  }

  #link(names: readonly string[]) {
    for (const name of names) {
      rmSync(join(this.root, name), { recursive: true, force: true });
      symlinkSync(join(projectRoot, name), join(this.root, name));
    }
  }

  /**
   * Runs `npm run deploy` with the real wrangler in a process of its own. Resolves as
   * {@link runWithWrangler}.
   */
  async deployWithWrangler(cloudflare: FakeCloudflare, fault?: Fault) {
    const script = join(import.meta.dirname, 'deploy-process.ts');
    return this.runWithWrangler(
      cloudflare,
      [process.execPath, script, this.root, cloudflare.origin, JSON.stringify(local)],
      fault,
    );
  }

  /**
   * Runs the command `npm run copy-store` itself, with the real wrangler, as a program of this
   * project. Its pauses are printed and end at once. Resolves as {@link runWithWrangler}.
   */
  async restoreWithWrangler(cloudflare: FakeCloudflare, args: readonly string[], fault?: Fault) {
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [, script = ''] = /^node (\S+)$/.exec(scripts['copy-store'] ?? '') ?? [];
    const preload = pathToFileURL(join(import.meta.dirname, 'command-process.ts'));
    preload.search = new URLSearchParams({ origin: cloudflare.origin }).toString();
    const flags = ['--preserve-symlinks', '--preserve-symlinks-main', '--import', preload.href];
    return this.runWithWrangler(cloudflare, [process.execPath, ...flags, script, ...args], fault);
  }

  /**
   * Runs the command that a deployment printed for the way back to the version before. Resolves as
   * {@link runWithWrangler}.
   */
  async goBackWithWrangler(cloudflare: FakeCloudflare, fault?: Fault) {
    const [, command = ''] = /^Back to the version before: npx (.+)$/m.exec(this.output) ?? [];
    return this.runWithWrangler(cloudflare, command.split(' '), fault);
  }

  /**
   * Runs a command with the real wrangler on the path, against an account behind HTTP. Resolves to
   * its exit code, or the signal that ended it.
   */
  async runWithWrangler(
    cloudflare: FakeCloudflare,
    [program = '', ...args]: readonly string[],
    fault?: Fault,
  ) {
    cloudflare.calls = [];
    cloudflare.fault = fault;
    const child = spawn(program, args, {
      cwd: this.root,
      // A group of its own, so that a kill reaches wrangler, too.
      detached: true,
      env: {
        ...process.env,
        PATH: [join(projectRoot, 'node_modules/.bin'), process.env.PATH].join(delimiter),
        CLOUDFLARE_API_BASE_URL: `${cloudflare.origin}/client/v4`,
        CLOUDFLARE_API_TOKEN: apiToken,
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_LOG_PATH: this.root,
      },
    });
    cloudflare.kill = () => void (child.pid && process.kill(-child.pid, 'SIGKILL'));
    const ended = Promise.withResolvers<number | NodeJS.Signals | null>();
    child.on('error', ended.reject).on('exit', (code, signal) => ended.resolve(code ?? signal));
    const [end, ...printed] = await Promise.all([
      ended.promise,
      text(child.stdout),
      text(child.stderr),
    ]);
    this.output += printed.join('');
    assert.deepEqual(cloudflare.wrong, []);
    return end;
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}
