import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../../src/client/cli/run-command.ts';
import { MerchantBrowser } from '../../support/node/oauth/merchant.ts';
import { startReceiver } from '../../support/node/receivers/receiver.ts';
import { freePort } from '../../support/node/runtime/free-port.ts';
import { useDemo, type SharedDemo } from '../../support/node/runtime/shared-demo.ts';
import { patience } from '../../support/patience.ts';

const program = resolve(import.meta.dirname, '../../../src/client/cli/store-api.ts');
const folder = mkdtempSync(join(tmpdir(), 'store-api-command-line-'));
const openedUrls = join(folder, 'opened');
let demo: SharedDemo;

beforeAll(async () => {
  writeFileSync(join(folder, 'browser'), `#!/bin/sh\necho "$1" >> '${openedUrls}'\n`, {
    mode: 0o755,
  });
  demo = await useDemo();
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
});

/** The environment of a command: the demo, and a home and a browser of its own. */
const environmentOf = (changes: Record<string, string> = {}) => ({
  ...process.env,
  XDG_CONFIG_HOME: folder,
  BROWSER: join(folder, 'browser'),
  STORE_API_URL: demo.origin,
  ...changes,
});

/** Starts the program with a command. */
function start(words: readonly string[], environment?: Record<string, string>) {
  return spawn(process.execPath, ['--no-warnings', program, ...words], {
    env: environmentOf(environment),
  });
}

/** Runs a command to its end, in this process. */
async function run(words: readonly string[], environment?: Record<string, string>, input = '') {
  const written = { out: '', err: '' };
  const writeTo = (name: 'out' | 'err') => (chunk: unknown) => {
    written[name] += String(chunk);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(writeTo('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(writeTo('err')),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as never),
  ];
  try {
    const { signal } = new AbortController();
    const code = await runCommandLine(words, environmentOf(environment), signal);
    return { code, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs the program to its end: for its exit code, what it reads, and that it warns of nothing. */
async function runProgram(
  words: readonly string[],
  environment?: Record<string, string>,
  input = '',
) {
  const child = start(words, environment);
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'close');
  return { code: child.exitCode, out, err };
}

/** Everything that a running command has printed. */
function outputOf(child: ChildProcess) {
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => (output.text += String(chunk)));
  }
  return output;
}

/** Waits until a condition holds; `what` explains a failure. */
const waitFor = (condition: () => boolean, what: () => string) =>
  vi.waitFor(() => expect(condition(), what()).toBe(true), patience);

const demoKey = {
  STORE_API_TOKEN: 'demo-user-token',
  STORE_API_SECRET: 'sk_demo_secret_key',
  STORE_API_STORE: 'demo',
};

/** The key of the store in which only this file makes events. */
const outletKey = {
  STORE_API_TOKEN: 'outlet-user-token',
  STORE_API_SECRET: 'sk_outlet_secret_key',
  STORE_API_STORE: 'outlet',
};

describe('store-api', () => {
  it('explains itself and each of its commands', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const name of [
      'login',
      'logout',
      'get',
      'post',
      'put',
      'delete',
      'listen',
      'trigger',
      'logs',
      'mcp',
      'open',
      'whoami',
      'completion',
    ]) {
      expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
    const help = await run(['listen', '--help']);
    expect(help.out).toContain('--forward-to URL');
  });

  it('ends with 2 and says what to write when it is used wrongly', async () => {
    const uses: [string[], Record<string, string>, RegExp][] = [
      [[], {}, /^$/],
      [['fly'], {}, /There is no command fly\. store-api/],
      [['lsiten'], {}, /There is no command lsiten\. Did you mean listen\?/],
      [['logn'], {}, /Did you mean login\?/],
      [['completion', 'tcsh'], {}, /Which shell\? One of bash, zsh, fish/],
      [['get'], {}, /Which path/],
      [['get', 'auth/me', '--colour'], {}, /--colour/],
      [['post', 'catalog/brands', '--data', '{'], {}, /not JSON/],
      [['get', 'catalog/brands'], { STORE_API_TOKEN: 'x' }, /STORE_API_SECRET is missing/],
      [['get', 'catalog/brands'], { STORE_API_URL: 'https://api.example' }, /No credentials/],
      [['trigger', 'rain'], {}, /Which event\? One of order\.created/],
      [['trigger', 'order.payed'], {}, /Which event\? Did you mean order\.paid\?/],
      [['listen'], {}, /--forward-to/],
      [['open', 'sesame'], {}, /There is no page sesame/],
    ];
    for (const [words, variables, message] of uses) {
      const { code, err } = await run(words, variables);
      expect([words, code]).toEqual([words, 2]);
      expect(err).toMatch(message);
    }
    expect((await runProgram(['lsiten'])).code).toBe(2);
  });

  it('calls any operation, with the key of the demo when there is no other', async () => {
    const created = await run([
      'post',
      'catalog/brands',
      '--data',
      '{"name":"Linha","active":true}',
    ]);
    expect(created.err).toContain("Using the demo's API key");
    const { data } = JSON.parse(created.out) as { data: { id: number } };
    const path = `catalog/brands/${data.id}`;
    const changed = await runProgram(
      ['put', path, '--data', '@-', '--json'],
      demoKey,
      '{"name":"Linha","active":false}',
    );
    expect(changed).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(changed.out)).toMatchObject({ data: { name: 'Linha', active: false } });
    const all = await run(
      ['get', 'catalog/brands', '--all', '--json', '--query', 'limit=2'],
      demoKey,
    );
    const names = all.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { name: string }).name);
    expect(names.length).toBeGreaterThan(2);
    expect(names).toContain('Linha');
    expect((await run(['delete', path], demoKey)).code).toBe(0);
    const gone = await runProgram(['get', path, '--json'], demoKey);
    expect(gone).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(gone.err)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('ends with 1 and names the headers when the key is wrong, or the service is not there', async () => {
    const wrong = await run(['get', 'catalog/brands'], {
      ...demoKey,
      STORE_API_SECRET: 'sk_wrong',
    });
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(/User-Token and User-Secret-Key|User-Secret-Key/);
    expect(wrong.err).not.toContain('sk_wrong');
    const absent = `http://127.0.0.1:${await freePort()}`;
    expect((await run(['trigger', 'product.created', '--url', absent])).code).toBe(1);
  });

  it('says who calls, and prints each warning of the service once to stderr', async () => {
    const me = await run(['whoami'], demoKey);
    expect(me).toMatchObject({ code: 0, err: '' });
    expect(me.out).toBe(
      `Ana Conceição <ana@demo.test>, by an API key\nStore demo at ${demo.origin}\n`,
    );
    const asJson = await run(['whoami', '--json'], demoKey);
    expect(JSON.parse(asJson.out)).toMatchObject({ store: 'demo', client_id: null });
    expect(me.out + asJson.out).not.toContain(demoKey.STORE_API_SECRET);

    const words = ['get', 'catalog/brands', '--query', 'colour=red', '--query', 'limit=2', '--all'];
    const { code, out, err } = await run([...words, '--json'], demoKey);
    expect(code).toBe(0);
    expect(out.trim().split('\n').length).toBeGreaterThan(2);
    expect(err).toMatch(/^Warning: .*colour.*\n$/);
  });

  it('sends a parameter that is named twice as a list of both', async () => {
    const orders = ['get', 'orders', '--json', '--query', 'status=paid', '--query'];
    const both = await run([...orders, 'status=delivered'], demoKey);
    expect([both.code, JSON.parse(both.out)]).toMatchObject([0, { data: expect.any(Array) }]);
    expect(both.out).toBe(
      (await run([...orders.slice(0, 4), 'status=paid,delivered'], demoKey)).out,
    );
  });

  it('completes commands and options in bash, and describes them to zsh and fish', async () => {
    const script = (await run(['completion', 'bash'])).out;
    const complete = async (...words: string[]) => {
      const end = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
      const bash = spawn('bash', ['-c', `${script}\n${end}\n_store_api; echo "\${COMPREPLY[*]}"`]);
      return (await text(bash.stdout)).trim().split(' ');
    };
    expect(await complete('store-api', 'lo')).toEqual(['login', 'logout', 'logs']);
    expect(await complete('store-api', 'mcp', '--')).toEqual([
      '--toolsets',
      '--read-only',
      '--url',
      '--store',
      '--profile',
      '--json',
      '--help',
    ]);
    expect(await complete('store-api', 'get', '--al')).toEqual(['--all']);
    const zsh = (await run(['completion', 'zsh'])).out;
    expect(zsh).toContain("'whoami:the user, the store and the service of your calls'");
    expect(zsh).toMatch(/^ {4}listen\) compadd -- --forward-to/m);
    const fish = (await run(['completion', 'fish'])).out;
    expect(fish).toMatch(/__fish_use_subcommand -a trigger -d '/);
    expect(fish).toMatch(/'__fish_seen_subcommand_from listen' -l forward-to -r -d '/);
  });

  it('prints the address of a page and opens it', async () => {
    const { code, out } = await run(['open', 'docs']);
    expect([code, out]).toEqual([0, `${demo.origin}/docs\n`]);
    await waitFor(() => readOpened().includes(`${demo.origin}/docs`), readOpened);
  });

  it('prints the deliveries of webhooks', async () => {
    const { out } = await run(['logs', '--limit', '5', '--json']);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number });
    expect(lines).toHaveLength(5);
    expect(lines.map(({ seq }) => seq)).toEqual(
      lines.map(({ seq }) => seq).toSorted((a, b) => a - b),
    );
    expect((await run(['logs', '--limit', '5'])).out).toMatch(/\d attempts?/);
  });

  it('prints the own requests with what came back, successes included in a local runtime', async () => {
    await run(['get', '/catalog/brands', '-q', 'limit=1']);
    await run(['get', '/catalog/brands/999999999']);
    const { out } = await run(['logs', '--requests', '--status', '404', '--limit', '1']);
    expect(out).toMatch(/GET showBrand +404 not_found +\d+ ms/);
    expect((await run(['logs', '--requests', '--operation', 'listBrands'])).out).toContain('200');
  });
});

describe('store-api trigger', () => {
  it('begins an import for its event', async () => {
    const { code, out } = await run(['trigger', 'catalog.import_completed'], demoKey);
    expect(out).toMatch(/catalog\.import_completed happened in demo: \/catalog\/imports\/\d+/);
    expect(code).toBe(0);
  });
});

const readOpened = () => {
  try {
    return readFileSync(openedUrls, 'utf8');
  } catch {
    return '';
  }
};

describe('store-api listen', () => {
  it('waits for the receiver, brings it each event as the service signs it, and leaves nothing behind', async () => {
    const port = await freePort();
    // No store of the demo is there.
    const elsewhere = { ...outletKey, TZ: 'Pacific/Kiritimati' };
    const listening = start(['listen', '--forward-to', `http://127.0.0.1:${port}/hook`], elsewhere);
    const output = outputOf(listening);
    const triggered = await (async () => {
      await waitFor(
        () => output.text.includes('Nothing listens at'),
        () => output.text,
      );
      return run(['trigger', 'order.paid'], outletKey);
    })();
    expect(triggered.code).toBe(0);
    const receiver = await startReceiver(undefined, port);
    await waitFor(
      () => /order\.paid .* 200 in \d+ ms, delivered/.test(output.text),
      () => output.text,
    );
    const [, secret = ''] = /Signing secret: (\S+)/.exec(output.text) ?? [];
    const verifier = new Webhook(secret);
    const events = receiver.received.map(({ headers, body }) => {
      const { event } = verifier.verify(body.toString(), headers) as { event: string };
      expect(headers).toMatchObject({
        'x-service-topic': event,
        'x-service-shop-domain': 'outlet',
      });
      // An update says what it changed, as a delivery of the service does.
      expect('x-service-changed' in headers, event).toBe(event.endsWith('.updated'));
      return event;
    });
    expect(events).toEqual(
      [
        'product.created',
        'product.inventory.updated',
        'customer.created',
        'customer.address.created',
        'order.created',
        'product.inventory.updated',
        'order.status.updated',
        'order.paid',
        'product.inventory.updated',
      ].filter((_, index) => index < events.length),
    );
    const secondsOf = (time = '') => {
      const [hours = Number.NaN, minutes = 0, seconds = 0] = time.split(':').map(Number);
      return hours * 3600 + minutes * 60 + seconds;
    };
    const { time } = JSON.parse(receiver.received[0]!.body.toString()) as { time: string };
    const [, printed] = /^(\S+) {2}product\.created /m.exec(output.text) ?? [];
    const later = secondsOf(printed) - secondsOf(time.split(' ')[1]);
    expect((later + 86_400) % 86_400, `${time} ${printed}`).toBeLessThan(3_600);
    listening.kill('SIGINT');
    await once(listening, 'close');
    expect(listening.exitCode).toBe(0);
    const left = await run(['get', 'webhooks'], outletKey);
    expect(left.out).not.toContain('store-api listen');
    receiver.server.close();
  });
});

describe('store-api login', () => {
  it('gets tokens through the browser, keeps them for its owner only, and revokes them', async () => {
    const child = start(['login', '--client-id', 'demo-app', '--url', demo.origin]);
    const output = outputOf(child);
    const link = () => /https?:\S+oauth\/authorize\S+/.exec(readOpened())?.[0] ?? '';
    await waitFor(
      () => link() !== '',
      () => output.text,
    );
    const browser = new MerchantBrowser(demo.origin);
    const target = await browser.decide(link());
    await fetch(target);
    await once(child, 'close');
    expect([child.exitCode, output.text]).toEqual([
      0,
      expect.stringContaining('Logged in to demo'),
    ]);
    const file = join(folder, 'store-api', 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const saved = readFileSync(file, 'utf8');
    const tokens = (
      JSON.parse(saved) as Record<string, { oauth: { tokens: Record<string, string> } }>
    )[demo.origin]?.oauth.tokens;
    expect(output.text).not.toContain(tokens?.access_token);
    expect(output.text).not.toContain(tokens?.refresh_token);
    const me = await run(['post', 'auth/me']);
    expect(me).toMatchObject({ code: 0, err: '' });
    expect((await run(['logout'])).code).toBe(0);
    writeFileSync(file, saved);
    const revoked = await run(['get', 'catalog/brands', '--json']);
    expect(revoked.code).toBe(1);
    rmSync(file);
  });

  it('asks for an API key without showing it', async () => {
    const { code, out, err } = await runProgram(
      ['login', '--key', '--store', 'demo'],
      {},
      'demo-user-token\nsk_demo_secret_key\n',
    );
    expect(code).toBe(0);
    expect(out + err).not.toContain('sk_demo_secret_key');
    expect((await run(['get', 'catalog/brands', '--json'])).err).toBe('');
    const wrong = await run(
      ['login', '--key', '--store', 'demo'],
      {},
      'demo-user-token\nsk_other\n',
    );
    expect(wrong.code).toBe(1);
    expect((await run(['logout'])).err).toContain('Logged out');
  });

  it('keeps the login of each profile, which brings its service and takes no other credentials', async () => {
    const key = 'demo-user-token\nsk_demo_secret_key\n';
    const named = ['--profile', 'live'];
    const login = ['login', '--key', '--store', 'demo', ...named];
    expect((await run(login, {}, key)).code).toBe(0);
    // Neither the variables of another service nor those of another key count.
    const others = {
      STORE_API_URL: 'https://api.example',
      STORE_API_TOKEN: 'other',
      STORE_API_SECRET: 'sk_other',
      STORE_API_STORE: 'other',
    };
    const me = await run(['whoami', ...named], others);
    expect(me).toMatchObject({ code: 0, err: '' });
    expect(me.out).toContain(`Store demo at ${demo.origin}\n`);

    // Without the name there is no login, and another name or service gets no credentials of it.
    expect((await run(['whoami'])).err).toContain("Using the demo's API key");
    for (const words of [['test'], ['live', '--url', 'https://api.example']]) {
      const { code, err } = await run(['whoami', '--profile', ...words]);
      expect([code, err]).toEqual([2, expect.stringMatching(/login --profile (test|live)\./)]);
    }
    const refused = await run(['whoami', '--profile', 'a b']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('The name of')]);
    expect((await run(['logout', ...named])).err).toContain('Logged out');
    expect((await run(['whoami', ...named])).code).toBe(2);
  });
});
