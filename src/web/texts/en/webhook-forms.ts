/** The forms that create, edit, rotate and delete webhooks, in English. */
export const webhookFormsInEnglish = {
  create: 'Create a webhook',
  edit: 'Edit',
  editNamed: 'Edit {name}',
  save: 'Save changes',
  name: 'Name',
  nameHint: 'What it is for, so that you recognize it later. Up to 100 characters.',
  url: 'Address',
  example: 'What arrives',
  exampleLead: 'A signed POST for each event. Any 2xx answer says that it arrived.',
  urlHint: 'Where the other program receives the events. It begins with https://.',
  events: 'Events',
  eventsHint:
    'Choose what the other program should learn of. It also sees the data that belong to it.',
  allEvents: 'All events',
  allEventsMeaning: 'Without those that we add later.',
  someEvents: 'Only these events',
  groups: {
    orders: 'Orders and payments',
    invoices: 'Invoices',
    customers: 'Customers and carts',
    products: 'Products',
  },
  hints: {
    'order.paid': 'The payment of an order has been approved.',
    'order.status.updated': 'An order was sent, delivered, cancelled and so on.',
    'cart.reminder': 'A customer left a cart with items in it.',
    'product.updated': 'The name, the price or something else of a product has changed.',
  },
  ordered: 'Keep the order',
  orderedHint:
    'Sends one event at a time, each after the one before has arrived. Slower, and an event that fails holds up all behind it.',
  errors: {
    nameMissing: 'Enter a name.',
    nameLong: 'The name has more than 100 characters.',
    urlMissing: 'Enter the address.',
    urlWrong: 'This is not a complete address. It should look like https://example.com/webhooks.',
    urlRefused:
      'We cannot send to this address: its host is not public or cannot be found, or it does not begin with https://.',
    eventsMissing: 'Choose at least one event.',
    tooMany: 'This store has 20 webhooks, the maximum. Delete one that you do not use.',
    unanswered:
      'Nothing has changed: this webhook was switched off, and the new address did not answer our ping. Check it and try again.',
    tooSoon: 'Nothing has changed: this store had a ping a moment ago. Try again in ten seconds.',
    appRefused:
      'Nothing has changed: the app of this webhook has no permission for one of these events. Leave it out, or connect the app again.',
  },
  secret: {
    title: 'Your signing secret',
    label: 'Signing secret',
    firstLead: 'With this secret the other program checks that an event comes from us.',
    nextLead: 'Give this new secret to the other program. Then come back and finish the change.',
    once: 'Copy it now and keep it in a safe place. We cannot show it to you again.',
    saved: 'I have saved it',
    gone: 'This secret was already shown',
    goneLead: 'A secret is shown only once. If you did not save it, replace it by a new one.',
    back: 'Go to the webhook',
  },
  rotate: {
    title: 'Replace the secret',
    question: 'Replace the secret of {name}?',
    underWayTitle: 'New secret',
    underWay: 'The new secret of {name}',
    lead: 'You get a new signing secret. For a while we sign with both, so that no event is lost while you change the other program.',
    overlapQuestion: 'How long should the old secret stay valid?',
    choices: {
      day: '24 hours',
      week: 'One week',
      none: 'Not at all: another person may know it',
    },
    start: 'Create a new secret',
    overlap: 'Both secrets are valid. From {time} on, the new one is the main one.',
    finishLead:
      'Does the other program know the new secret? Then make it the main one now. The old one still counts for the same time again, and then ends.',
    finish: 'Use the new secret',
    committed:
      'The new secret is the main one. The old one ends on {time}. You have nothing more to do.',
    errors: { notChosen: 'Choose how long the old secret stays valid.' },
  },
  remove: {
    title: 'Delete',
    question: 'Delete {name}?',
    consequence:
      'Nothing more is sent to it, and what is still waiting is never sent. This cannot be undone.',
    instead: 'To stop it for a while only, pause it instead.',
    submit: 'Delete webhook',
  },
};
