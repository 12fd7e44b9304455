import { InvalidBody } from '../../problem.ts';

/** Throws `InvalidBody` for a customer who is anonymised: nothing personal comes back to one. */
export function refuseAnonymised(isAnonymised: boolean) {
  if (!isAnonymised) return;
  throw new InvalidBody({ anonymized: ['Must not be an anonymised customer.'] });
}
