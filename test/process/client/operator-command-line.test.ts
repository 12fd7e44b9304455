import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { runOperatorCommand } from '../../../src/client/operator/run-operator.ts';
import { operationGroups } from '../../../src/routes/operations.ts';
import { useDemo, type SharedDemo } from '../../support/node/runtime/shared-demo.ts';

const program = resolve(import.meta.dirname, '../../../src/client/operator/operator.ts');
let demo: SharedDemo;

beforeAll(async () => {
  demo = await useDemo();
});

/** Runs a command of operators against the demo, in this process. */
async function run(words: readonly string[], environment: Record<string, string> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runOperatorCommand(
    words,
    { OPERATOR_URL: demo.origin, ...environment },
    (isJson) => ({
      isJson,
      isInteractive: false,
      line: (line) => void out.push(line),
      print: (value) => void out.push(JSON.stringify(value)),
      say: (line) => void err.push(line),
      progress: () => undefined,
    }),
  );
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const newStore = ['--name', 'Loja Nova', '--timezone', 'America/Sao_Paulo', '--reason', 'Signed'];

describe('npm run operator', () => {
  it('is a program that lists its commands, one for every operation of operators', async () => {
    const child = spawn(process.execPath, ['--no-warnings', program, '--help']);
    const out = await text(child.stdout);
    if (child.exitCode === null) await once(child, 'close');
    expect(child.exitCode).toBe(0);
    for (const { operations } of operationGroups) {
      for (const { id, access } of operations) {
        if (access !== 'operator') continue;
        const name = id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
        expect(out).toContain(` ${name} `);
      }
    }
  });

  it('explains a command', async () => {
    const { code, out } = await run(['deactivate-store', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('npm run operator -- deactivate-store ID');
    expect(out).toMatch(/--reason TEXT .*Required\./);
    expect(out).toContain('--dry-run');
  });

  it('creates a store, shows it by its alias, and deactivates it after a look', async () => {
    const made = await run([
      'create-store',
      '--alias',
      'nova',
      ...newStore,
      '--owner',
      'maria@loja.test',
      '--json',
    ]);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(JSON.parse(made.out)).toMatchObject({ alias: 'nova', owner_email: 'maria@loja.test' });
    const deactivation = ['deactivate-store', 'nova', '--reason', 'Unpaid', '--json'];
    const look = await run([...deactivation, '--dry-run']);
    expect(look.code).toBe(0);
    expect(look.err).toContain('Nothing was changed.');
    expect(JSON.parse(look.out)).toMatchObject({
      would: { method: 'POST', body: { reason: 'Unpaid' } },
      about: { alias: 'nova', state: 'active' },
    });
    expect(JSON.parse((await run(deactivation)).out)).toMatchObject({ state: 'deactivated' });
    const shown = await run(['list-stores', '--state', 'deactivated', '--json']);
    expect(
      shown.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([{ alias: 'nova', inactive_reason: 'Unpaid' }, { alias: 'closed' }]);
  });

  it('erases no open store but with another operator, and cancels that', async () => {
    const erasure = ['erase-store', 'bancada', '--reason', 'By order of a court'];
    const refused = await run(erasure);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('30 days')]);
    const asked = await run([...erasure, '--immediately', '--json']);
    expect([asked.code, asked.err]).toEqual([0, '']);
    const job = JSON.parse(asked.out) as { id: number; kind: string };
    expect(job.kind).toBe('immediate_erasure');
    const own = await run(['confirm-store-erasure', 'bancada', String(job.id), '--reason', 'Yes']);
    expect([own.code, own.err]).toEqual([1, expect.stringContaining('another operator')]);
    const cancelled = await run(['cancel-job', String(job.id), '--json']);
    expect(JSON.parse(cancelled.out)).toMatchObject({ id: job.id, state: 'cancelled' });
  });

  it('says what the service refuses, with exit code 1', async () => {
    const taken = await run([
      'create-store',
      '--alias',
      'demo',
      ...newStore,
      '--owner',
      'maria@loja.test',
    ]);
    expect(taken.code).toBe(1);
    expect(taken.err).toContain('alias: Is or was the alias of another store.');
    const foreign = await run(['show-health'], {
      OPERATOR_TOKEN: 'demo-user-token',
      OPERATOR_SECRET: 'sk_demo_secret_key',
    });
    expect(foreign.code).toBe(1);
    expect(foreign.err).toContain('403');
    const silent = await run(['show-health', '--url', 'http://127.0.0.1:9']);
    expect([silent.code, silent.err]).toEqual([1, expect.stringContaining('No answer came.')]);
  });

  it('says what is wrong with a command line, with exit code 2, and calls no service', async () => {
    const wrong = [
      [['create-store', '--alias', 'nova'], 'Needs --name, --timezone, --owner-email, --reason.'],
      [['deactivate-store', 'nova'], 'Needs --reason.'],
      [['show-store'], 'Takes ID.'],
      [['list-users', '--colour', 'red'], '--colour'],
      [['show-health', '--dry-run'], '--dry-run is for commands that change a record.'],
      [['show-health', '--url', 'http://api.example.com'], 'must begin with https://'],
      [['show-health', '--url', 'https://api.example.com'], 'OPERATOR_TOKEN'],
      [['make-coffee'], 'There is no command make-coffee.'],
    ] as const;
    const answers = await Promise.all(wrong.map(([words]) => run(words)));
    for (const [index, { code, err }] of answers.entries()) {
      expect([code, err]).toEqual([2, expect.stringContaining(wrong[index]![1])]);
    }
  });
});
