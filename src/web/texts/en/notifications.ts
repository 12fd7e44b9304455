/** The page of the mails that a user gets, in English. */
export const notificationsInEnglish = {
  title: 'Your e-mails',
  lead: 'We write to {email}. You always get e-mails about the security of your account and about your stores being closed.',
  saved: 'Your choice is saved.',
  notConfigured:
    'This service cannot send e-mails at the moment. Your choice counts as soon as it can.',
  noSender:
    'This service cannot send e-mails at the moment. Tell those who run it: nothing arrives before they have set up a sender.',
  all: 'Everything else',
  allows: 'Send me other e-mails, too',
  allowsHint: 'Without it you get none of those below.',
  which: 'Which ones',
  kinds: {
    app_disconnected: 'An app was disconnected from a store',
    member_removed: 'A person no longer works on a store',
    webhook_failing: 'A webhook has been failing for a day or longer',
    webhook_switched_off: 'A webhook was switched off',
    app_webhook_switched_off: 'The webhook of an app was switched off',
    event_budget: 'The store has used much of its daily budget of events',
    export_ready: 'An export is ready to download',
    store_reactivated: 'A store is active again',
  },
  submit: 'Save',
  unsubscribe: {
    title: 'Stop these e-mails?',
    lead: 'You will no longer get e-mails of this kind:',
    submit: 'Stop these e-mails',
    done: 'These e-mails are stopped',
    doneLead: 'All others stay as they are. You no longer get these:',
    dead: 'It has expired or is incomplete. Nothing has changed. Sign in to choose your e-mails.',
  },
};
