/** `memberships.role`, as texts of mails name it. */
type Role = 'owner' | 'manager' | 'viewer';

/** The kinds of mails, and what the template of each is given. Names come from outside; a `link` leads to our own host. */
export interface MailData {
  /** `store` and `role` for a store; `kind` says whether it is to the service, a store or the team of a partner. */
  invitation: {
    inviter: string;
    kind: 'user' | 'store' | 'partner';
    store?: string;
    role?: Role;
    link: string;
  };
  sign_up: { link: string };
  /** To somebody who signs up and has an account. */
  sign_up_known: { link: string };
  password_reset: { link: string };
  password_changed: Record<string, never>;
  /** To the old address, at once. */
  email_change_requested: { newEmail: string };
  /** To the new address. */
  email_confirmation: { link: string };
  /** To the old address, with the link that undoes it. */
  email_changed: { newEmail: string; link: string };
  /** `country` is ISO 3166-1 alpha-2; empty if unknown. */
  new_sign_in: { country: string; device: string };
  api_key_created: { name: string; lastFour: string };
  second_factor_changed: { change: 'on' | 'off' | 'codes' };
  app_connected: { app: string; publisher: string; store: string };
  app_disconnected: { app: string; store: string };
  member_added: { member: string; store: string; role: Role };
  member_removed: { member: string; store: string };
  you_were_removed: { store: string };
  ownership_handed_over: { store: string; member: string };
  webhook_failing: { store: string; host: string; hours: number };
  webhook_switched_off: { store: string; host: string };
  /** To the partner: the webhook of an app itself. */
  app_webhook_switched_off: { app: string; host: string };
  export_ready: { store: string; link: string };
  /** To the owner, who has an account already. */
  store_made: { store: string; by: string };
  store_deactivated: { store: string; reason: string };
  store_reactivated: { store: string };
  /** `date` is the day of the erasure in epoch milliseconds. */
  store_closing: { store: string; date: number };
  operator_made: Record<string, never>;
}

export type MailKind = keyof MailData;

/**
 * The kinds that a user may switch off. Whatever gives somebody access, takes it from the reader or changes how one signs
 * in is about security, and always sent.
 */
export const mutableKinds = [
  'app_disconnected',
  'member_removed',
  'webhook_failing',
  'webhook_switched_off',
  'app_webhook_switched_off',
  'export_ready',
  'store_reactivated',
] as const satisfies readonly MailKind[];

/** A mail of a kind that {@link mutableKinds} names. */
export type MutableKind = (typeof mutableKinds)[number];

/** What is sent even to an address that bounced: without it nobody gets back in. */
export const unblockableKinds: ReadonlySet<string> = new Set<MailKind>(['password_reset']);
