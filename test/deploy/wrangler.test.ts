import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readDeployment } from '../../src/deploy/deployment-file.ts';
import { Wrangler } from '../../src/deploy/wrangler.ts';
import { deploymentFile, projectRoot } from '../support/node/deploy/production-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'fake-wrangler-'));
const calls = join(folder, 'calls');

/** A `wrangler` that records its arguments, account and input, and fails on request. */
const script = `#!/bin/sh
printf '%s|' "$@" >> '${calls}'
printf '%s|%s\\n' "$CLOUDFLARE_ACCOUNT_ID" "$(cat)" >> '${calls}'
if [ "$1" = fail ]; then echo "✘ [ERROR] No $2 here. [code: 10007]" >&2; exit 1; fi
echo 'A line of text'
echo '{"answer": 42}'
`;

writeFileSync(join(folder, 'wrangler'), script, { mode: 0o755 });

beforeEach(() => vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(calls, { force: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('wrangler as a child process', () => {
  it('gets arguments as they are, the account, and no input to ask for', async () => {
    const printed: string[] = [];
    const wrangler = new Wrangler(projectRoot, (line) => printed.push(line));
    wrangler.account = 'a1';
    const statement = "select 'it''s' where a like '%b'; select 2";
    expect(await wrangler.run(['d1', 'execute', '--command', statement])).toBe(
      'A line of text\n{"answer": 42}\n',
    );
    expect(readFileSync(calls, 'utf8')).toBe(`d1|execute|--command|${statement}|a1|\n`);
    expect(printed).toEqual([`  npx wrangler d1 execute --command ${statement}`]);
  });

  it('fails with its command, its code and its output, without secrets', async () => {
    const wrangler = new Wrangler(projectRoot, () => undefined);
    wrangler.hide(['sesame-sesame-sesame']);
    const error = await wrangler
      .run(['fail', 'sesame-sesame-sesame'])
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining('No *** here. [code: 10007]') });
    expect(String(error)).toContain('npx wrangler fail');
  });
});

describe('npm run deploy', () => {
  it('prints the plan of three shards with --dry-run, and runs no wrangler', () => {
    const file = join(folder, 'deployment.json');
    writeFileSync(file, JSON.stringify(deploymentFile));
    const output = execFileSync(
      process.execPath,
      [join(projectRoot, 'src/deploy/deploy.ts'), '--dry-run', '--file', file],
      { encoding: 'utf8', cwd: folder },
    );
    expect(output.match(/store-api-store-\d/g)).toEqual([
      'store-api-store-0',
      'store-api-store-1',
      'store-api-store-2',
    ]);
    expect([existsSync(calls), existsSync(join(folder, 'deployment.secrets.json'))]).toEqual([
      false,
      false,
    ]);
  });

  it('says what is wrong with a deployment file', () => {
    expect(() => readDeployment(join(folder, 'missing.json'))).toThrow('cannot be read');
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{ name: }');
    expect(() => readDeployment(file)).toThrow('is not JSON');
  });
});
