import type { KeyRing } from '../crypto/keys.ts';
import { appSecretContext, type LeasedWebhook } from '../db/directory/app-webhooks.ts';
import { log } from '../log.ts';
import { loadKeysOf } from '../webhooks/signing/keys.ts';

/** The keys that sign for the webhook of an app; `undefined`, with an alert, if a secret cannot be decrypted. */
export async function loadKeys(webhook: LeasedWebhook, now: number, sealingKeys: KeyRing) {
  try {
    return await loadKeysOf(webhook, appSecretContext(webhook.client_id), now, sealingKeys);
  } catch {
    log('error', 'secrets_unreadable', { alert: true, app: webhook.app_id });
    return undefined;
  }
}
