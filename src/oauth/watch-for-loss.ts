import type { SteppedGrant } from '../db/grants/advance.ts';
import { log } from '../log.ts';
import type { TokenFacts } from './token.ts';
import type { GrantRecord } from './vault.ts';

/**
 * Raises an alarm when the database knows less than what was presented: KV has the record of a grant that it
 * lost, or a token is of a generation that it has not reached. Only a restored database or a leaked key can
 * do that.
 */
export async function watchForLoss(
  record: Promise<GrantRecord | undefined>,
  grant: SteppedGrant | undefined,
  { grantId, generation }: TokenFacts,
): Promise<void> {
  if (grant && grant.generation < generation) {
    log('error', 'oauth_token_from_the_future', { alert: true, grant: grantId, generation });
  }
  if ((await record) && !grant) log('error', 'oauth_grant_lost', { alert: true, grant: grantId });
}
