/** The texts of a template. Placeholders are `{names}` of its data. */
interface MailText {
  subject: string;
  /** Paragraphs. The first is also what a mailbox shows beside the subject. */
  body: readonly string[];
  /** The label of the button; absent for a mail without a link. */
  button?: string;
}

/** Names of templates: a kind of mail, or one of the forms that a kind has. */
export type TemplateName =
  | 'invitation_user'
  | 'invitation_store'
  | 'invitation_partner'
  | 'sign_up'
  | 'sign_up_known'
  | 'password_reset'
  | 'password_changed'
  | 'email_change_requested'
  | 'email_change_undone'
  | 'email_confirmation'
  | 'email_changed'
  | 'doors_shut'
  | 'new_sign_in'
  | 'new_sign_in_somewhere'
  | 'api_key_created'
  | 'api_key_revoked'
  | 'recovery_code_used'
  | 'user_deactivated'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_codes'
  | 'second_factor_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_blocked'
  | 'device_remembered'
  | 'codes_guessed'
  | 'second_factor_removal'
  | 'app_connected'
  | 'app_disconnected'
  | 'app_address_changed'
  | 'app_secret_changed'
  | 'app_disabled'
  | 'member_invited'
  | 'member_added'
  | 'member_removed'
  | 'you_were_removed'
  | 'role_changed'
  | 'ownership_handed_over'
  | 'webhook_destination'
  | 'webhook_failing'
  | 'webhook_switched_off'
  | 'app_webhook_switched_off'
  | 'event_budget'
  | 'export_ready'
  | 'store_made'
  | 'store_deactivated'
  | 'store_reactivated'
  | 'store_closing'
  | 'store_erasure_asked'
  | 'store_erasure_confirmed'
  | 'operator_made'
  | 'operator_added'
  | 'store_erasure_asked_told'
  | 'store_erasure_confirmed_told';

/** All texts of mails in a language. */
export interface MailTexts {
  greeting: string;
  /** For a reader whose name is unknown. */
  greetingWithoutName: string;
  /** Before the address of the button, which some programs do not show. */
  openAddress: string;
  /** Why the reader gets the mail. */
  reasons: { address: string; account: string; store: string; partner: string; operators: string };
  /**
   * The link that switches off the mails of its kind, and the one to the page of all, for those
   * that may be.
   */
  unsubscribe: string;
  preferences: string;
  /** Where to get help, if the service says so. */
  support: string;
  roles: { owner: string; manager: string; viewer: string };
  mails: Readonly<Record<TemplateName, MailText>>;
}
