import { dayMs } from '../../base/durations.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import {
  countAttempt,
  hasNoAddress,
  networkCounters,
  type AttemptCounter,
} from '../../data/directory/attempt-counters.ts';
import type { SessionUser } from '../../data/directory/sessions.ts';
import { enforceRateLimit, networksOf } from '../../http/access/rate-limit.ts';

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

/** How long an account is new. */
export const newForMs = 7 * dayMs;

/**
 * The counters of a request for a mail: of the address that gets it, of the network, and of the
 * user who causes it. An address counts whether or not it is known. Mails of users are counted
 * apart, so that invitations delay no reset.
 */
function mailCounters(
  { settings, clientAddress, now }: CountedPage,
  email: string,
  user: SessionUser | undefined,
): AttemptCounter[] {
  const isNew = user && !user.isOperator && now - user.createdAt < newForMs;
  return [
    { limit: 'mail', of: [email.toLowerCase(), user ? 'of a user' : ''] },
    ...(hasNoAddress(settings, clientAddress)
      ? []
      : networkCounters('mailNetwork', networksOf(clientAddress))),
    ...(user ? [{ limit: 'mailsOf' as const, of: [String(user.id)] }] : []),
    ...(isNew ? [{ limit: 'firstMailsOf' as const, of: [String(user.id)] }] : []),
  ];
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
  const counters = mailCounters(page, email, user);
  const { isAllowed, waitSeconds: seconds } = await countAttempt(page, counters);
  return isAllowed ? undefined : { kind: 'mails', seconds };
}
