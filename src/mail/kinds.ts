import type { Language } from '../base/languages.ts';
import type { MemberRole } from '../base/roles.ts';

/**
 * The kinds of mails, and the values for the template of each. Names come from outside; a `link`
 * leads to our own host.
 */
export interface MailData {
  /**
   * `store` and `role` for a store; `kind` says whether it is to the service, a store or the team
   * of a partner.
   */
  invitation: {
    inviter: string;
    kind: 'user' | 'store' | 'partner';
    store?: string;
    role?: MemberRole;
    link: string;
  };
  sign_up: { link: string };
  /** To a user who signs up but has an account already. */
  sign_up_known: { link: string };
  password_reset: { link: string };
  password_changed: Record<string, never>;
  /** To the old address, at once. */
  email_change_requested: { newEmail: string };
  /** To the new address. */
  email_confirmation: { link: string };
  /** To the old address, with the link that undoes it. */
  email_changed: { newEmail: string; link: string };
  /**
   * To the restored address. A line is a sentence in each language, with the name `{target}`, which
   * somebody chose.
   */
  email_change_undone: {
    lines: readonly { texts: Readonly<Record<Language, string>>; target: string }[];
  };
  /** A signed-in browser ended all else that acts for the user. */
  doors_shut: Record<string, never>;
  /** `country` is ISO 3166-1 alpha-2; empty if unknown. */
  new_sign_in: { country: string; device: string };
  api_key_created: { name: string; lastFour: string };
  /** An operator revoked it. */
  api_key_revoked: { name: string; lastFour: string; reason: string };
  /** One of the recovery codes; so many are left. */
  recovery_code_used: { left: number };
  /** An operator locked the user out. */
  user_deactivated: { reason: string };
  second_factor_changed: { change: 'on' | 'off' | 'codes' | 'removed' };
  /** `blocked`: it may have been copied. */
  passkey_changed: { change: 'added' | 'removed' | 'blocked'; name: string };
  /** A browser needs no second step until it is forgotten, at most for 30 days. */
  device_remembered: { device: string };
  /** So many wrong codes in an hour, by those who had the password. */
  codes_guessed: { count: number };
  /** An operator removes the second factor tomorrow; the link objects. */
  second_factor_removal: { link: string; reason: string };
  app_connected: { app: string; publisher: string; store: string };
  app_disconnected: { app: string; store: string };
  /**
   * To the partner and the team: where the app sends people or events (`host`), or its signing
   * secret.
   */
  app_changed: { app: string; member: string; change: 'address' | 'secret'; host: string };
  /** To the partner and the team: an operator disabled it. */
  app_disabled: { app: string; reason: string };
  /** To the owner: an operator invited a person. */
  member_invited: { email: string; store: string; role: MemberRole; reason: string };
  member_added: { member: string; store: string; role: MemberRole };
  member_removed: { member: string; store: string };
  you_were_removed: { store: string };
  /** To the member, by the name of who changed it. */
  role_changed: { store: string; role: MemberRole; by: string };
  ownership_handed_over: { store: string; member: string };
  /** Events of the store go to a host that they did not go to by this webhook before. */
  webhook_destination: { store: string; host: string };
  webhook_failing: { store: string; host: string; hours: number };
  webhook_switched_off: { store: string; host: string };
  /** To the partner: the webhook of an app itself. */
  app_webhook_switched_off: { app: string; host: string };
  /** The store has recorded this part of its event budget of today, in bytes. */
  event_budget: { store: string; percent: number; budget: number };
  export_ready: { store: string; link: string };
  /** To the owner, who has an account already. */
  store_made: { store: string; by: string };
  store_deactivated: { store: string; reason: string };
  store_reactivated: { store: string };
  /** `date` is the day of the erasure in epoch milliseconds. */
  store_closing: { store: string; date: number };
  /**
   * `date` is that of the erasure in epoch milliseconds; null until another operator confirms it.
   */
  store_erasure_ordered: { store: string; reason: string; date: number | null };
  operator_made: Record<string, never>;
  /** To all operators: one of them, `by`, made another. */
  operator_added: { by: string; userId: number; reason: string };
  /**
   * To all operators: one of them asked for an erasure at once, or confirmed it; `date` as of
   * `store_erasure_ordered`.
   */
  store_erasure_told: {
    by: string;
    store: string;
    storeId: number;
    reason: string;
    date: number | null;
  };
  /** To those who asked for it. `titles` are the entries since the last one, in each language. */
}

export type MailKind = keyof MailData;

/**
 * The limits on how many mails of a kind are written. In addition, an address gets at most
 * `mailsPerHour` of each.
 * - `request`: a person names the address. Forms count such mails by address, network and user.
 * - `account`: a change of the reader's own account, as often as its form or link is used.
 * - `store`: a change of a store or a role by anyone, as often as its form or operation is used.
 * - `service`: the service found or finished something: one for each time.
 */
export type MailLimit = 'request' | 'account' | 'store' | 'service';

/** The limit of every kind. */
export const mailLimits = {
  invitation: 'request',
  sign_up: 'request',
  sign_up_known: 'request',
  password_reset: 'request',
  password_changed: 'account',
  email_change_requested: 'account',
  email_confirmation: 'request',
  email_changed: 'account',
  email_change_undone: 'account',
  doors_shut: 'account',
  new_sign_in: 'account',
  api_key_created: 'account',
  api_key_revoked: 'account',
  recovery_code_used: 'account',
  user_deactivated: 'account',
  second_factor_changed: 'account',
  passkey_changed: 'account',
  device_remembered: 'account',
  codes_guessed: 'service',
  second_factor_removal: 'account',
  app_connected: 'store',
  app_disconnected: 'store',
  app_changed: 'account',
  app_disabled: 'service',
  member_invited: 'store',
  member_added: 'store',
  member_removed: 'store',
  you_were_removed: 'store',
  role_changed: 'store',
  ownership_handed_over: 'store',
  webhook_destination: 'store',
  webhook_failing: 'service',
  webhook_switched_off: 'service',
  app_webhook_switched_off: 'service',
  event_budget: 'service',
  export_ready: 'service',
  store_made: 'store',
  store_deactivated: 'store',
  store_reactivated: 'store',
  store_closing: 'store',
  store_erasure_ordered: 'store',
  operator_made: 'account',
  operator_added: 'account',
  store_erasure_told: 'store',
} as const satisfies Record<MailKind, MailLimit>;

/**
 * The kinds that may go to an address which a person names, whether or not it belongs to a user.
 */
export type RequestedKind = {
  [K in MailKind]: (typeof mailLimits)[K] extends 'request' ? K : never;
}[MailKind];

/**
 * The kinds that a user may switch off. Mails about security are always sent: those that give
 * access, take it from the reader or change how to sign in.
 */
export const optionalKinds = [
  'app_disconnected',
  'member_removed',
  'webhook_failing',
  'webhook_switched_off',
  'app_webhook_switched_off',
  'event_budget',
  'export_ready',
  'store_reactivated',
] as const satisfies readonly MailKind[];

/** A mail of a kind that {@link optionalKinds} names. */
export type MutableKind = (typeof optionalKinds)[number];

/** The same kinds, to ask whether one of any mail is among them. */
export const mutableKinds: ReadonlySet<string> = new Set(optionalKinds);

/**
 * The kinds that are sent even to an address that bounced, because without them the user could not
 * sign in again.
 */
export const unblockableKinds: ReadonlySet<string> = new Set<MailKind>(['password_reset']);
