import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPlaceholders } from '../../../src/docs/placeholders.ts';
import { buildPackage } from '../../support/node/client/built-client.ts';
import { startCuttingProxy } from '../../support/node/client/cutting-proxy.ts';
import { callDemo } from '../../support/node/docs/call-demo.ts';
import { connectSample, tryTokens } from '../../support/node/docs/sample-oauth.ts';
import {
  demoValues,
  hasSample,
  runsHere,
  runSample,
  sampleRunners,
  startProgram,
  type SampleLanguage,
  type SampleRun,
} from '../../support/node/docs/samples.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';

const root = mkdtempSync(join(tmpdir(), 'store-api-samples-'));
let demo: RunningDemo;
let clientPackage: string;

beforeAll(async () => {
  [demo, clientPackage] = await Promise.all([startDemo(), buildPackage()]);
});

afterAll(async () => {
  await demo.close();
  rmSync(root, { recursive: true });
});

/** Calls an operation of the demo's store. */
const call = <T>(method: string, path: string, body?: object) =>
  callDemo<T>(demo.origin, method, path, body);

const brandsNamed = (name: string) =>
  call<{ data: { id: number; name: string }[] }>(
    'GET',
    `/catalog/brands?search=${encodeURIComponent(`name:${name}`)}&searchFields=name:=`,
  );

/** A run in a folder of its own. */
function runOf(name: string, { key }: SampleLanguage, changes: Partial<SampleRun> = {}): SampleRun {
  const cwd = join(root, `${name}-${key}`);
  mkdirSync(cwd, { recursive: true });
  return { cwd, origin: demo.origin, clientPackage, ...changes };
}

/** The languages that have a sample. One that is not installed here is shown as skipped. */
const languagesOf = (name: string) =>
  sampleRunners
    .filter((language) => hasSample(name, language))
    .map((language) => {
      const isInstalled = runsHere(language);
      const label = isInstalled ? language.key : `${language.key} (not installed here)`;
      return { language, isInstalled, label };
    });

describe.concurrent('the sample first-call', () => {
  for (const { language, isInstalled, label } of languagesOf('first-call')) {
    it.skipIf(!isInstalled)(`creates a brand in ${label}`, async () => {
      const name = `Sol ${language.key}`;
      const output = await runSample(
        'first-call',
        language,
        runOf('first-call', language, { replace: { Sol: name } }),
      );
      expect(output).toContain(name);
      expect((await brandsNamed(name)).data).toHaveLength(1);
    });

    it.skipIf(!isInstalled)(`says which field is wrong in ${label}`, async () => {
      const run = runOf('refused', language, { replace: { Sol: '' } });
      const output = await runSample('first-call', language, run).catch(String);
      expect(output).toContain('Correct the fields');
      expect(output).toMatch(/\bname\b[^]*Must/);
    });
  }
});

describe.concurrent('the sample paginate', () => {
  for (const { language, isInstalled, label } of languagesOf('paginate')) {
    it.skipIf(!isInstalled)(`reads every product, three on a page in ${label}`, async () => {
      const names: string[] = [];
      for (let page = 1; names.length === (page - 1) * 100; page += 1) {
        const { data } = await call<{ data: { name: string }[] }>(
          'GET',
          `/catalog/products?limit=100&page=${page}`,
        );
        names.push(...data.map((product) => product.name));
      }
      const output = await runSample(
        'paginate',
        language,
        runOf('paginate', language, {
          replace: { 'limit=100': 'limit=3', 'limit: 100': 'limit: 3' },
        }),
      );
      for (const name of names) expect(output).toContain(name);
      const count =
        language.key === 'curl' ? `"total":${names.length}` : `${names.length} products`;
      expect(output).toContain(count);
    });
  }
});

describe.concurrent('the sample retry', () => {
  for (const { language, isInstalled, label } of languagesOf('retry')) {
    it.skipIf(!isInstalled)(
      `creates one brand although an answer is lost in ${label}`,
      async () => {
        const name = `Lua ${language.key}`;
        const proxy = await startCuttingProxy(demo.origin);
        proxy.follow(({ count }) => (count === 1 ? 'answered' : undefined));
        const run = runOf('retry', language, { origin: proxy.origin, replace: { Lua: name } });
        expect(await runSample('retry', language, run)).toContain(name);
        const keys = proxy.requests.map(({ headers }) => headers['idempotency-key']);
        await proxy.close();
        expect(keys.length).toBeGreaterThan(1);
        expect(new Set(keys).size).toBe(1);
        expect((await brandsNamed(name)).data).toHaveLength(1);
      },
    );
  }
});

describe.concurrent('the sample update-if-unchanged', () => {
  for (const { language, isInstalled, label } of languagesOf('update-if-unchanged')) {
    it.skipIf(!isInstalled)(
      `gets 412 and overwrites no concurrent change in ${label}`,
      async () => {
        const before = { name: `Before ${language.key}`, active: true };
        const { data: brand } = await call<{ data: { id: number } }>(
          'POST',
          '/catalog/brands',
          before,
        );
        const name = `Serra Azul ${language.key}`;
        const proxy = await startCuttingProxy(demo.origin);
        let isChanged = false;
        proxy.follow(async ({ method }) => {
          if (method !== 'PUT' || isChanged) return undefined;
          isChanged = true;
          await call('PUT', `/catalog/brands/${brand.id}`, { ...before, featured: true });
          return undefined;
        });
        const run = runOf('update-if-unchanged', language, {
          origin: proxy.origin,
          replace: {
            'brands/1': `brands/${brand.id}`,
            'rename(1,': `rename(${brand.id},`,
            'Serra Azul': name,
          },
        });
        const output = await runSample('update-if-unchanged', language, run);
        const methods = proxy.requests.map(({ line }) => line.split(' ')[0]);
        const shown = await call<{ name: string; featured: boolean }>(
          'GET',
          `/catalog/brands/${brand.id}`,
        );
        if (language.key === 'curl') {
          expect(output).toContain('precondition_failed');
          expect(await runSample('update-if-unchanged', language, run)).toContain(name);
        } else {
          expect(methods).toEqual(['GET', 'PUT', 'GET', 'PUT']);
          expect(shown).toMatchObject({ name, featured: true });
        }
        await proxy.close();
      },
    );
  }
});

describe.concurrent('the sample bulk-stock', () => {
  for (const { language, isInstalled, label } of languagesOf('bulk-stock')) {
    it.skipIf(!isInstalled)(`sets a stock and shows an unknown SKU in ${label}`, async () => {
      const output = await runSample('bulk-stock', language, runOf('bulk-stock', language));
      expect(output).toMatch(/changed/);
      expect(output).toMatch(/failed/);
    });
  }
});

describe.concurrent('the sample pkce', () => {
  for (const { language, isInstalled, label } of languagesOf('pkce')) {
    it.skipIf(!isInstalled)(
      `connects a store, then refreshes after a lost answer in ${label}`,
      async () => {
        const run = runOf('pkce', language, { env: { CLIENT_ID: 'demo-app' } });
        expect(await connectSample(language, run)).toContain('Connected to demo');
        const first = await tryTokens(run);
        expect(first.status).toBe(200);

        const proxy = await startCuttingProxy(demo.origin);
        proxy.follow(({ count }) => (count === 1 ? 'answered' : undefined));
        const output = await runSample('refresh', language, { ...run, origin: proxy.origin });
        const sent = new Set(proxy.requests.map(({ body }) => body));
        await proxy.close();
        expect(output).toContain('Refreshed');
        expect(sent.size).toBe(1);
        const second = await tryTokens(run);
        expect(second.status).toBe(200);
        expect(second.refreshToken).not.toBe(first.refreshToken);
      },
    );
  }
});

/** The curl commands of the English guides, of which those in other languages are copies. */
const guides = new Map(
  readdirSync('src/docs/guides/en').map((file) => [
    file.replace('.md', ''),
    readFileSync(`src/docs/guides/en/${file}`, 'utf8'),
  ]),
);
const commands = [...guides].flatMap(([guide, text]) => {
  const blocks = text.matchAll(/^```bash\n(curl[^]*?)^```/gm);
  return Array.from(blocks, ([, command = ''], index) => ({ guide, number: index + 1, command }));
});

describe('the commands of the guides', () => {
  const cwd = join(root, 'commands');
  let ids: Record<string, string>;

  beforeAll(async () => {
    type Page = { data: { id: number | string }[] };
    const find = async (path: string) => `${(await call<Page>('GET', path)).data[0]?.id}`;
    ids = {
      CUSTOMER_ID: await find('/customers?limit=1'),
      EVENT_ID: await find('/events?limit=1'),
      TRANSACTION_ID: await find('/checkout/transactions?status=waiting_payment'),
      WEBHOOK_ID: await find('/webhooks'),
      CLIENT_ID: 'demo-app',
      REFRESH_TOKEN: 'ort_unknown',
      // Yesterday, since a command names hours of the day.
      '2031-03-05': new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    };
    mkdirSync(cwd);
    const [, lines = ''] =
      /^```text NDJSON\n(\{"name"[^]*?)^```/m.exec(guides.get('bulk') ?? '') ?? [];
    writeFileSync(join(cwd, 'products.ndjson'), lines);
  });

  it.each(commands)('work: $guide, number $number', async ({ command }) => {
    let filled = fillPlaceholders(command, demoValues(demo.origin));
    for (const [name, value] of Object.entries(ids)) filled = filled.replaceAll(name, value);
    const script = filled.replace(/^curl/, 'curl --fail-with-body -sS');
    const { output, succeeded } = await startProgram(['bash', '-c', script], { cwd }).ended;
    expect(succeeded ? 'done' : output).toBe('done');
    expect(output).not.toMatch(/[A-Z]{4,}_ID/);
  });
});
