import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signRequest, importSigningKey, createSecret } from '../../../src/webhooks/signature.ts';
import { startSampleReceiver, type SampleDelivery } from '../../support/node/docs/receivers.ts';
import {
  runsHere,
  runSample,
  sampleRunners,
  type SampleLanguage,
} from '../../support/node/docs/samples.ts';

const root = mkdtempSync(join(tmpdir(), 'store-api-verify-'));
afterAll(() => rmSync(root, { recursive: true }));

const [current, next, foreign] = [createSecret(), createSecret(), createSecret()];
const body = JSON.stringify({
  event: 'product.created',
  resource: { name: 'Café “Especial” ☕ a/b' },
});

/**
 * Signs a delivery as the service does, `ageMs` ago; with `second`, as in the overlap of a
 * rotation.
 */
async function deliver(primary: string, second?: string, ageMs = 0): Promise<SampleDelivery> {
  const at = Date.now() - ageMs;
  const { headers } = await signRequest({
    serviceName: 'Service',
    secrets: {
      primary: await importSigningKey(primary),
      ...(second !== undefined && {
        second: { secret: await importSigningKey(second), suffix: 'Next' as const },
      }),
    },
    endpoint: 1,
    epoch: 1,
    seq: 1,
    eventId: 'evt_0000000000000101a203b713a8b34f265dfc496cbc86d0',
    event: 'product.created',
    changed: null,
    apiVersion: '2.0',
    attempt: 1,
    triggeredAt: at,
    at,
    body,
  });
  return { headers, body };
}

const tenMinutes = 600_000;

/** Answers of the receiver of a sample to deliveries of every kind. */
async function statusesOf(
  language: SampleLanguage,
  name: string,
  { replace = {}, secrets = [current] }: { replace?: Record<string, string>; secrets?: string[] },
) {
  const cwd = join(root, `${name}-${language.key}`);
  mkdirSync(cwd);
  const run = { cwd, origin: '', clientPackage: '', replace };
  const receiver = await startSampleReceiver(language, run, secrets);
  const genuine = await deliver(current);
  const deliveries = {
    genuine,
    changed: { ...genuine, body: body.replace('Especial', 'Especiol') },
    unsigned: { headers: {}, body },
    foreign: await deliver(foreign),
    old: await deliver(current, undefined, tenMinutes),
    ahead: await deliver(current, undefined, -tenMinutes),
    overlap: await deliver(current, next),
    committed: await deliver(next, current),
  };
  const statuses: Record<string, number> = {};
  for (const [kind, delivery] of Object.entries(deliveries)) {
    statuses[kind] = await receiver.send(delivery);
  }
  await receiver.stop();
  return statuses;
}

const refused = { changed: 401, unsigned: 401, foreign: 401 };
const accepted = { genuine: 204, overlap: 204 };

describe.concurrent('the sample verify-webhook', () => {
  for (const language of sampleRunners.filter(({ key }) => key !== 'curl')) {
    const isInstalled = runsHere(language);
    const note = isInstalled ? '' : ' (not installed here)';

    it.skipIf(!isInstalled)(
      `accepts what is signed and at most five minutes old in ${language.key}${note}`,
      async () => {
        expect(await statusesOf(language, 'standard', {})).toEqual({
          ...accepted,
          ...refused,
          old: 401,
          ahead: 401,
          // The Standard Webhooks list has both signatures.
          committed: 204,
        });
        expect(await statusesOf(language, 'rotated', { secrets: [next] })).toMatchObject({
          genuine: 401,
          overlap: 204,
          committed: 204,
        });
      },
    );

    it.skipIf(!isInstalled)(
      `accepts the header of the service with either secret in ${language.key}${note}`,
      async () => {
        const replace = {
          'if (!(await verify(': 'if (!(await verifyBody(',
          'if (!verify(': 'if (!verifyBody(',
          'if not verify(': 'if not verify_body(',
          'unless verify(': 'unless verify_body(',
          '|| !verify(': '|| !verifyBody(',
        };
        const secrets = [current, next];
        expect(await statusesOf(language, 'service', { replace, secrets })).toEqual({
          ...accepted,
          ...refused,
          old: 204,
          ahead: 204,
          committed: 204,
        });
      },
    );
  }

  it('prints both signatures in curl', async () => {
    const cwd = join(root, 'shell');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'body.json'), body);
    const { headers } = await deliver(current);
    const printed = await runSample('verify-webhook', sampleRunners[0], {
      cwd,
      origin: '',
      clientPackage: '',
      env: {
        WEBHOOK_SECRET: current,
        ID: headers['webhook-id'] ?? '',
        TIMESTAMP: headers['webhook-timestamp'] ?? '',
      },
    });
    expect(printed.trim().split('\n')).toEqual([
      headers['X-Service-Hmac-SHA256'],
      headers['webhook-signature'],
    ]);
  });
});
