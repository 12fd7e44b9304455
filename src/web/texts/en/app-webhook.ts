/** The webhook of an app itself, in English. */
export const appWebhookInEnglish = {
  open: 'Webhook of the app',
  title: 'Webhook of {app}',
  lead: 'It receives events about the app as a whole, also after a store has disconnected it. Every event is signed as those of any webhook.',
  events: 'Events',
  hints: {
    'app.connected': 'A store connected the app.',
    'app.disconnected': 'The connection of the app to a store ended.',
    'customer.anonymized':
      'A store anonymised or deleted a customer whom the app may have seen. Delete what you keep of them.',
    'store.closed': 'A store that the app is or was connected to is closed.',
    'store.renamed':
      'A store that the app is connected to has another alias. The old one works for a year.',
  },
  url: 'Address',
  urlHint: 'Where your program receives the events. It begins with https://.',
  create: 'Set up the webhook',
  save: 'Save',
  state: 'State',
  active: 'Active',
  failing: 'Failing',
  off: 'Switched off',
  offHint:
    'It did not take events for 72 hours, or answered 410. Its events wait. Save the address to switch it on again.',
  rotate: 'Replace the secret',
  rotateQuestion: 'Replace the secret of the webhook of {app}?',
  rotateLead:
    'You get a new signing secret, which is shown once. For 48 hours we sign with both, so that no event is lost while you change your program.',
  rotating: 'Two secrets are valid until {time}. After that, only the new one is.',
  remove: 'Remove',
  removeQuestion: 'Remove the webhook of {app}?',
  removeLead: 'Nothing more is sent to it. Waiting deliveries and the list are deleted.',
  deliveries: 'Latest deliveries',
  caption: 'Latest deliveries, the newest first',
  none: 'No event so far. Connect or disconnect a test store to cause one.',
  columns: {
    event: 'Event',
    at: 'When',
    state: 'State',
    attempts: 'Attempts',
  },
  states: {
    delivered: 'Delivered',
    waiting: 'Waiting',
    givenUp: 'Given up',
  },
  flash: {
    saved: 'The webhook is saved.',
    removed: 'The webhook is removed.',
  },
};
