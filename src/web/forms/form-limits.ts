import { mailCounters } from '../../accounts/sign-in/attempt-counters.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { countAttempt } from '../../data/directory/attempt-counters.ts';
import type { SessionUser } from '../../data/directory/sessions.ts';
import { enforceRateLimit } from '../../http/access/rate-limit.ts';

/**
 * The limits of forms, and which forms of a user count: every one, or only those without an error.
 * A user may send `ME_PER_MINUTE` forms of each limit a minute. A network may send
 * `PAGES_PER_MINUTE` requests for pages.
 * - `pages`: forms that send no mail and cost little.
 * - `attempts`: passwords and codes, which `checkPassword` and `checkFactor` count and throttle,
 *   too.
 * - `passwords`: new passwords, whose hashes are counted, too.
 * - `mails` and `invitations`: mails to an address, which `limitMails` counts, too, by the same
 *   counters.
 * - the others send a request or create a credential.
 */
export const formLimits = {
  pages: 'every',
  attempts: 'every',
  passwords: 'every',
  mails: 'valid',
  invitations: 'valid',
  keys: 'valid',
  approve: 'valid',
  webhooks: 'every',
} as const;

/** The limit of a form. Every form names one. */
export type FormLimit = keyof typeof formLimits;

/** A limit that the values of a form choose, such as its button, among those that they can. */
export interface ChosenLimit<Values> {
  among: readonly FormLimit[];
  choose: (values: Values) => FormLimit;
}

/** Returns the limits that a form can have. */
export const limitsOf = <Values>(limit: FormLimit | ChosenLimit<Values>): readonly FormLimit[] =>
  typeof limit === 'string' ? [limit] : limit.among;

/** Whether the forms of a limit send a mail to an address that the sender chooses. */
export const sendsMail = (limit: FormLimit) => limit === 'mails' || limit === 'invitations';

/** The time to wait after too many forms. */
export interface Wait {
  kind: 'wait' | 'busy' | 'mails';
  seconds: number;
  /** The field that shows it. */
  field?: string;
}

/** The parts of a page that counting needs. */
type CountedPage = Pick<ActionContext, 'env' | 'settings' | 'directory' | 'now'> & {
  clientAddress: string | undefined;
};

/**
 * Counts a form of a user under its limit, `weight` times, if it counts at this moment. Throws a
 * 429.
 */
export async function countForm(
  { env, settings: { limits }, now }: CountedPage,
  userId: number | undefined,
  limit: FormLimit,
  moment: 'every' | 'valid',
  weight = 1,
): Promise<void> {
  if (userId === undefined || formLimits[limit] !== moment) return;
  await enforceRateLimit({ env, limits, now }, 'me', `${limit}:${userId}`, weight);
}

/**
 * Counts a request for a mail to an address. Returns the wait after too many of them: to that
 * address, from that network, or by that user. It is the same whether or not a user has the
 * address.
 */
export async function limitMails(
  page: CountedPage,
  email: string,
  user: SessionUser | undefined,
): Promise<Wait | undefined> {
  const { settings, clientAddress: address, now } = page;
  const counters = mailCounters(settings, { email, address, user }, now);
  const { isAllowed, waitSeconds: seconds } = await countAttempt(page, counters);
  return isAllowed ? undefined : { kind: 'mails', seconds };
}
