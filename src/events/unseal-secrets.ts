import { unseal } from '../crypto/seal.ts';
import { signingSecrets, type SecretColumns, type SigningSecrets } from './signing-secrets.ts';

/** The secrets that sign at `now` (epoch milliseconds), in the clear. Throws when one cannot be unsealed. */
export async function unsealSecrets(
  endpoint: SecretColumns & { store_id: number },
  now: number,
  sealingKey: string,
): Promise<SigningSecrets> {
  const open = (sealed: string) =>
    unseal(sealingKey, sealed, `webhook-secret:${endpoint.store_id}`);
  const { primary, second } = signingSecrets(endpoint, now);
  return {
    primary: await open(primary),
    ...(second && { second: { ...second, secret: await open(second.secret) } }),
  };
}
