import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { unseal } from '../../src/crypto/seal.ts';
import { openDatabase } from '../../src/db/core/open.ts';
import { appSecretContext } from '../../src/db/directory/app-webhooks.ts';
import { rotateAppSecret, setAppWebhook } from '../../src/people/partners/app-webhook.ts';
import { resealAppWebhooks } from '../../src/people/partners/reseal-app-webhooks.ts';
import { settingsOf } from '../../src/settings.ts';
import { deedOf } from '../support/deed.ts';

it('both secrets of a rotation are sealed again under a new key, which then opens them alone', async () => {
  const directory = env.EMPTY_DIRECTORY;
  await applyD1Migrations(directory, env.DIRECTORY_MIGRATIONS);
  const clientId = crypto.randomUUID();
  const deed = { ...deedOf(1), directory: openDatabase(directory) };
  const first = await setAppWebhook(deed, { clientId, url: 'https://hooks.partner.test' });
  const second = await rotateAppSecret(deed, clientId);
  expect(await rotateAppSecret(deed, clientId)).toBeUndefined();
  const rotated = {
    ...env,
    DIRECTORY: directory,
    SEALING_KEY: btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))),
    SEALING_KEY_PREVIOUS: env.SEALING_KEY,
  } as Env;
  await resealAppWebhooks(rotated);
  const stored = await directory
    .prepare('select secret_current, secret_previous from app_webhooks where client_id = ?')
    .bind(clientId)
    .first<Record<string, string>>();
  const { current } = settingsOf(rotated).sealingKeys;
  const opened = await Promise.all(
    Object.values(stored ?? {}).map((sealed) =>
      unseal({ current, previous: undefined }, sealed, appSecretContext(clientId)),
    ),
  );
  expect(opened).toEqual([second, first]);
});
