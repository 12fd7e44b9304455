import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { rotateAppSecret, setAppWebhook } from '../../src/accounts/partners/app-webhook.ts';
import { runScheduledTasks } from '../../src/app/cron.ts';
import { unseal } from '../../src/base/crypto/seal.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { openDatabase } from '../../src/data/core/open-database.ts';
import { appSecretContext } from '../../src/data/directory/app-webhook-secrets.ts';
import { actionOf } from '../support/action.ts';

it('both secrets of a rotation are sealed again under a new key, which then opens them alone', async () => {
  const directory = env.EMPTY_DIRECTORY;
  await applyD1Migrations(directory, env.DIRECTORY_MIGRATIONS);
  const clientId = crypto.randomUUID();
  const action = { ...actionOf(900_001), directory: openDatabase(directory) };
  await directory.batch([
    directory.prepare(
      "insert into users (id, email, name, created_at, updated_at) values (900001, 'reseal@partner.test', 'Rui', 0, 0)",
    ),
    directory
      .prepare(
        `insert into apps (client_id, owner_id, name, publisher, redirect_uris, scopes, created_at, updated_at)
          values (?, 900001, 'App', 'Publisher', '[]', 1, 0, 0)`,
      )
      .bind(clientId),
  ]);
  const first = await setAppWebhook(action, {
    clientId,
    name: 'App',
    url: 'https://hooks.partner.test',
  });
  const second = await rotateAppSecret(action, { clientId, name: 'App' });
  expect(await rotateAppSecret(action, { clientId, name: 'App' })).toBeUndefined();
  const rotated = {
    ...env,
    DIRECTORY: directory,
    SEALING_KEY: btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))),
    SEALING_KEY_PREVIOUS: env.SEALING_KEY,
  } as Env;
  await runScheduledTasks(rotated, Date.UTC(1985, 0, 1));
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
  // No other test has this key, and another expects a directory without users.
  await directory.batch([
    directory.prepare('delete from app_webhooks where client_id = ?').bind(clientId),
    directory.prepare('delete from apps where client_id = ?').bind(clientId),
    directory.prepare('delete from users where id = 900001'),
  ]);
});
