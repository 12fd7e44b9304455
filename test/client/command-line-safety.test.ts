import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { authorize, revoke } from '../../src/client/cli/authorize-app.ts';
import { browserCommand } from '../../src/client/cli/browser.ts';
import { resolveOrigin } from '../../src/client/cli/connection.ts';
import { escapeControls } from '../../src/client/cli/terminal.ts';
import { findService } from '../../src/client/operator/call-service.ts';

const key = { OPERATOR_TOKEN: 'token', OPERATOR_SECRET: 'secret' };

describe('the address of the service', () => {
  const finders: Record<string, (url: string) => string> = {
    stores: (url) => resolveOrigin({ url }, {}),
    'stores, by STORE_API_URL': (url) => resolveOrigin({}, { STORE_API_URL: url }),
    operators: (url) => findService(key, url).origin,
  };
  describe.each(Object.entries(finders))('of %s', (_, find) => {
    it.each([
      'http://api.example.com',
      'http://192.168.0.7:8787',
      'http://localhost.evil.test',
      'http://127.0.0.1.evil.test',
      'http://127.0.0.1@evil.test',
      'ftp://127.0.0.1',
      'nowhere',
    ])('is not %s, which would get a key in the clear or nothing', (url) => {
      expect(() => find(url)).toThrow(/must begin with https:\/\/|is not a URL/);
    });

    it.each([
      'https://api.example.com',
      'http://127.0.0.1:8787',
      'http://[::1]:1',
      'http://localhost',
    ])('may be %s', (url) => {
      expect(find(url)).toBe(url);
    });
  });
});

describe('what a stranger wrote', () => {
  const texts = {
    'a title of the window': '\u001B]0;owned\u0007',
    'a C1 control sequence': '\u009B2J\u009B1;1H',
    'a line that replaces the one before': 'refused\rdelivered',
    'a backspace': 'evil\b\b\b\bgood',
    'a text from right to left': 'user\u202Etxt.exe',
    'an isolate': '\u2066admin\u2069',
    'a delete': 'a\u007Fb',
  };

  it.each(Object.entries(texts))('commands no terminal: %s', (_, text) => {
    const printed = escapeControls(JSON.stringify({ response_body: text }, null, 2));
    expect(printed).not.toMatch(/(?!\n)\p{Cc}|[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069]/u);
    expect(JSON.parse(printed)).toEqual({ response_body: text });
    expect(escapeControls(text)).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
  });

  it('is printed as it is otherwise', () => {
    const text = 'Olá,\n\t日本 – 👩‍🚀 "quoted"';
    expect(escapeControls(text)).toBe(text);
  });

  it('leaves the process only escaped, to stdout as to stderr', () => {
    const source = `
      import { processTerminal } from './src/client/cli/terminal.ts';
      const terminal = processTerminal(false);
      for (const write of [terminal.print, terminal.line, terminal.say]) write('a\\u009B2Jb\\u001B[31m');
    `;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--no-warnings', '--input-type=module', '--eval', source],
      { encoding: 'utf8' },
    );
    expect(stdout).toBe('"a\\u009b2Jb\\u001b[31m"\na\\u009b2Jb\\u001b[31m\n');
    expect(stderr).toBe('a\\u009b2Jb\\u001b[31m\n');
  });
});

describe('the browser', () => {
  const url = 'https://api.example.com/oauth/authorize?a=1&calc.exe&b=%22^|';

  it('is opened without a shell, with the URL as one argument', () => {
    expect(browserCommand(url, {}, 'win32')).toEqual([
      'rundll32',
      ['url.dll,FileProtocolHandler', url],
    ]);
    expect(browserCommand(url, {}, 'darwin')).toEqual(['open', [url]]);
    expect(browserCommand(url, {}, 'linux')).toEqual(['xdg-open', [url]]);
    expect(browserCommand(url, { BROWSER: 'firefox' }, 'win32')).toEqual(['firefox', [url]]);
  });

  it('opens web addresses only, without blanks and quotes', () => {
    for (const platform of ['win32', 'darwin', 'linux'] as const) {
      for (const other of [
        'file:///c:/windows/calc.exe',
        'calc.exe',
        '-a Calculator',
        'ms-settings:',
      ])
        expect(browserCommand(other, {}, platform), other).toBeUndefined();
      const [, args] = browserCommand('https://api.test/?a="b c"', {}, platform) ?? [];
      expect(args?.at(-1)).toBe('https://api.test/?a=%22b%20c%22');
    }
  });
});

describe('the addresses of an authorization server', () => {
  const servers: Server[] = [];
  afterEach(() => servers.splice(0).map((server) => server.close()));

  /** A service whose metadata names other addresses, and which counts other requests. */
  async function serve(changed: Record<string, string>) {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const metadata = {
        issuer: origin,
        authorization_endpoint: `${origin}/oauth/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        revocation_endpoint: `${origin}/oauth/revoke`,
        ...changed,
      };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(metadata));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
  }

  it.each(['issuer', 'authorization_endpoint', 'token_endpoint', 'revocation_endpoint'])(
    'are of its own origin: another %s is refused, and nothing is opened or sent',
    async (name) => {
      for (const other of ['https://evil.test/x', 'file:///calc.exe', 'calc.exe']) {
        const { origin, paths } = await serve({ [name]: other });
        const shown: string[] = [];
        const asked = authorize({
          origin,
          clientId: 'app',
          scope: undefined,
          show: (url) => shown.push(url),
          signal: AbortSignal.timeout(10_000),
        });
        await expect(asked).rejects.toThrow('names another address');
        const tokens = { access_token: 'a', refresh_token: 'r', expires_at: 0 };
        const revoked = revoke(origin, { clientId: 'app', tokens });
        await expect(revoked).rejects.toThrow('names another address');
        expect(shown).toEqual([]);
        expect(new Set(paths)).toEqual(new Set(['/.well-known/oauth-authorization-server']));
      }
    },
  );
});
