import { execFile } from 'node:child_process';

/** Runs a program; resolves also if it fails. Replaced in tests. */
export type Execute = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  root: string,
) => Promise<{ isOk: boolean; stdout: string; stderr: string }>;

const executeWrangler: Execute = (args, env, root) =>
  new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile('wrangler', args, options, (error, stdout, stderr) =>
      resolve({ isOk: !error, stdout, stderr: stderr || (error?.message ?? '') }),
    );
    // Without input, wrangler asks nothing.
    child.stdin?.end();
  });

/**
 * Runs wrangler as a child process, without questions. Secrets are taken out of everything that it
 * prints.
 */
export class Wrangler {
  /** The account that commands use; `undefined` until it is chosen. */
  account: string | undefined;
  readonly #secrets = new Set(credentialsOfEnvironment());
  readonly #root: string;
  readonly #print: (line: string) => void;
  readonly #execute: Execute;

  constructor(root: string, print: (line: string) => void, execute: Execute = executeWrangler) {
    this.#root = root;
    this.#print = print;
    this.#execute = execute;
  }

  hide(secrets: Iterable<string>) {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  redact(text: string): string {
    return [...this.#secrets].reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  }

  /**
   * Runs a command and resolves to its standard output. The error names the command and its output,
   * without secrets.
   */
  async run(args: readonly string[]): Promise<string> {
    const command = ['npx wrangler', ...args].join(' ');
    this.#print(`  ${command}`);
    const env = {
      WRANGLER_SEND_METRICS: 'false',
      NO_COLOR: '1',
      ...(this.account !== undefined && { CLOUDFLARE_ACCOUNT_ID: this.account }),
    };
    const { isOk, stdout, stderr } = await this.#execute(args, env, this.#root);
    if (isOk) return stdout;
    throw new Error(`${command}\n${this.redact(`${stderr}\n${stdout}`).trim()}`);
  }
}

/** The credentials that wrangler takes from the environment. */
const credentialsOfEnvironment = () =>
  ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_API_KEY'].flatMap((name) => process.env[name] || []);
