/**
 * The limits of forms, and which forms of a user count: every one, or only those without an error. A user may send
 * `ME_PER_MINUTE` forms of each limit a minute. A network may send `PAGES_PER_MINUTE` requests for pages.
 * - `pages`: forms that send no mail and cost little.
 * - `attempts`: passwords and codes, which `checkPassword` and `checkCode` count and throttle, too.
 * - `passwords`: new passwords, whose hashes are counted, too.
 * - `mails` and `invitations`: mails to an address, which `limitMails` counts, too.
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
