/** The webhook pages in English. */
export const webhooksInEnglish = {
  title: 'Webhooks',
  lead: 'A webhook sends events of your store to another program at once. Here you see where they go and whether they arrive.',
  none: 'This store has no webhook. A connected app creates its own. For a program of yours, create one here.',
  docs: 'Read how webhooks work',
  eventBudget:
    "Today's events of this store have used up the space for one day. Until midnight (UTC), imports and changes of many prices at once have to wait for seconds; everything else goes on. A program that changes the same records again and again is the usual cause: look at the latest deliveries.",
  host: 'Goes to',
  events: 'Events',
  duplicate:
    '{webhook} sends to the same address. Each event that both have arrives there twice. Delete the one that you do not need.',
  hasDuplicate: 'Two webhooks send to this address',
  order: 'Order',
  ordered: 'One event at a time, in order',
  state: 'State',
  lastSuccess: 'Last success',
  never: 'Nothing has arrived yet',
  failingSince: 'Failing since',
  nextAttempt: 'Next attempt',
  soon: 'As soon as possible',
  madeBy: 'Created by',
  ownKey: 'A program with the API key {name}',
  unknownCreator: 'Not recorded',
  created: 'Created on',
  back: 'All webhooks',
  states: {
    active: 'Active',
    failing: 'Failing',
    paused: 'Paused',
    disabled: 'Switched off',
    gone: 'Switched off by its receiver',
  },
  stateHints: {
    active: 'Events of your store are sent to it.',
    failing:
      'The receiver does not accept what we send. We keep trying, and switch the webhook off after five days without success.',
    paused: 'Nothing is sent. Events are held until you resume the webhook.',
    disabled:
      'Nothing arrived for five days, so we stopped sending. Events are held until you resume the webhook.',
    gone: 'The receiver replied that it no longer exists (410), so we stopped sending. Events are held until you resume the webhook.',
  },
  notices: 'Notices',
  noNotices:
    'No notice so far. We write one when nothing has arrived for 24 hours, and another after 72 hours.',
  noNoticesFailing:
    'No notice yet, because the webhook has not been failing for 24 hours. We write one then, and another after 72 hours.',
  noticeKinds: {
    failing_24h: 'Nothing has arrived for 24 hours.',
    failing_72h: 'Nothing has arrived for 72 hours.',
    throttled_24h:
      'For 24 hours the receiver has only asked us to wait (429). We keep trying and do not switch the webhook off for that.',
    disabled: 'Switched off: nothing arrived for five days.',
    gone: 'Switched off: the receiver replied that it no longer exists.',
    restored:
      'We restored an earlier state of your store. Delivery numbers continue from that state, and the receiver should read its data from the API again.',
    other: 'Something else happened.',
  },
  meanings: {
    'order.created': 'Order created',
    'order.paid': 'Order approved',
    'order.status.updated': 'Status of an order updated',
    'order.invoice.created': 'Invoice of an order created',
    'order.invoice.updated': 'Invoice of an order updated',
    'transaction.payment.refused': 'Payment of a transaction refused',
    'cart.reminder': 'Abandoned cart notification',
    'customer.created': 'Customer created',
    'customer.address.created': 'Customer address created',
    'product.created': 'Product created',
    'product.updated': 'Product updated',
    'product.deleted': 'Product deleted',
    'product.inventory.updated': 'Product stock updated',
    'catalog.import_completed': 'Import of products ended',
    other: 'An event that is no longer stored',
  },
  flash: {
    paused:
      'The webhook is paused. Deliveries that are held: {count}. When you resume it, you choose which of them are sent.',
    resumed: 'The webhook is active again: what waits for it is sent now.',
    edited: 'Your changes are saved.',
    rotated: 'The new secret is the main one now.',
    deleted: 'The webhook is deleted. Nothing more is sent to its receiver.',
  },
  pause: {
    lead: 'While paused, nothing more is sent to its receiver, and events are held until you resume it.',
    submit: 'Pause webhook',
  },
  resume: {
    title: 'Resume',
    question: 'Resume {name}?',
    pinged:
      'We first send a ping to {host}. The webhook becomes active only if the ping succeeds in time.',
    appDisconnected:
      '{app} is no longer connected to this store, so its webhook cannot be resumed. Connect the app again first.',
    appNotAllowed:
      '{app} is connected to this store, but without the permission for every event of this webhook. So it cannot be resumed. Connect the app again with these permissions, or let it leave out those events.',
    held: 'Held deliveries: {count}.',
    heldMany: 'Held deliveries: {count} or more.',
    choose: 'Which held deliveries should be sent?',
    choices: {
      '72h': 'Those of the last 72 hours',
      all: 'All of them',
      none: 'None of them, only new events',
    },
    pace: 'Up to 500 are sent at once, then 500 a minute. You can still send the others again one by one.',
    back: 'Back to the webhook',
    submit: 'Resume webhook',
    errors: {
      notChosen: 'Choose which deliveries to send.',
      unanswered: 'The ping failed: {answer} Nothing has changed.',
      tooSoon:
        'Not yet: this store had a ping a moment ago. Wait ten seconds. Nothing has changed.',
      urlRefused:
        'The address of the webhook cannot be used now: its host is not public or cannot be found. Nothing has changed.',
    },
  },
  ping: {
    lead: 'A ping is a signed message without content that shows whether the receiver responds: one every 10 seconds for each store. It is not part of the log.',
    submit: 'Send ping',
    delivered: 'The ping arrived: {answer}',
    released: 'Whatever was waiting for this webhook is sent now.',
    failed: 'The ping did not arrive: {answer}',
    urlRefused:
      'No ping was sent: the address of the webhook cannot be used, because its host is not public or cannot be found.',
    tooSoon: 'No ping was sent, because this store had one a moment ago. Wait ten seconds.',
  },
};
