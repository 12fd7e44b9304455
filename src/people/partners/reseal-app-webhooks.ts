import { appSecretContext } from '../../db/directory/app-webhooks.ts';
import { resealColumn } from '../reseal-table.ts';

/** Seals the secrets of the webhooks of apps again with the current key, while the settings have a previous one. Never rejects. */
export async function resealAppWebhooks(env: Env): Promise<void> {
  for (const column of ['secret_current', 'secret_previous'] as const) {
    const secrets = { table: 'app_webhooks', key: 'client_id', column } as const;
    await resealColumn<string>(env, { ...secrets, context: appSecretContext });
  }
}
