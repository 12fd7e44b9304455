import { execFileSync } from 'node:child_process';
import '@shopify/shopify-api/adapters/web-api';
import { ApiVersion, LogSeverity, shopifyApi } from '@shopify/shopify-api';
import { checkWebhookHmacValidity } from 'shopify-hmac-validation';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { isInstalled } from '../support/node/receivers/is-installed.ts';
import type { DeliveryRequest } from '../support/node/receivers/receiver.ts';

/** Verifies the signature of a delivery with third-party code. */
export type Verifier = (delivery: DeliveryRequest, secret: string) => boolean | Promise<boolean>;

const header = ({ headers }: DeliveryRequest) => headers['x-shopify-hmac-sha256'] ?? '';

const doesNotThrow = (check: () => unknown) => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

const shopify: Verifier = async ({ headers, body }, secret) => {
  const api = shopifyApi({
    apiKey: 'key',
    apiSecretKey: secret,
    apiVersion: ApiVersion.July26,
    hostName: 'receiver.test',
    isEmbeddedApp: false,
    logger: { level: LogSeverity.Error, log: () => Promise.resolve() },
  });
  const rawRequest = new Request('https://receiver.test/hook', { method: 'POST', headers });
  const { valid } = await api.webhooks.validate({ rawBody: body.toString(), rawRequest });
  return valid;
};

/**
 * Commands that print the HMAC-SHA256 of standard input. Python reads no packages of the machine
 * (`-S`), which take most of its start.
 */
const programs = {
  openssl: (secret: string) => ['openssl', 'dgst', '-sha256', '-hmac', secret, '-binary'],
  Python: (secret: string) => [
    'python3',
    '-S',
    '-c',
    'import sys,hmac,hashlib; sys.stdout.buffer.write(hmac.new(sys.argv[1].encode(), sys.stdin.buffer.read(), hashlib.sha256).digest())',
    secret,
  ],
  PHP: (secret: string) => [
    'php',
    '-r',
    'echo hash_hmac("sha256", file_get_contents("php://stdin"), $argv[1], true);',
    '--',
    secret,
  ],
  Perl: (secret: string) => [
    'perl',
    '-MDigest::SHA=hmac_sha256',
    '-0777',
    '-ne',
    'BEGIN { $key = shift } print hmac_sha256($_, $key)',
    secret,
  ],
};

function programVerifier(commandLine: (secret: string) => string[]): Verifier {
  return (delivery, secret) => {
    const [command = '', ...rest] = commandLine(secret);
    const digest = execFileSync(command, rest, { input: delivery.body });
    return digest.toString('base64') === header(delivery);
  };
}

/**
 * Verifiers of `X-<service>-Hmac-SHA256`, and whether each is a process of its own; the service is
 * named Shopify here.
 */
export const headerVerifiers: [name: string, verify: Verifier, isProcess: boolean][] = [
  ['@shopify/shopify-api', shopify, false],
  [
    'shopify-hmac-validation',
    (delivery, secret) =>
      checkWebhookHmacValidity(secret, delivery.body.toString(), header(delivery)),
    false,
  ],
  ...Object.entries(programs)
    .filter(([, commandLine]) => isInstalled(commandLine('')[0] ?? ''))
    .map(([name, line]): [string, Verifier, boolean] => [name, programVerifier(line), true]),
];

/** Verifiers of the Standard Webhooks headers. */
export const standardVerifiers: [name: string, verify: Verifier][] = [
  [
    'standardwebhooks',
    ({ headers, body }, secret) =>
      doesNotThrow(() => new StandardWebhook(secret).verify(body.toString(), headers)),
  ],
  [
    'svix',
    ({ headers, body }, secret) =>
      doesNotThrow(() => new SvixWebhook(secret).verify(body.toString(), headers)),
  ],
];
