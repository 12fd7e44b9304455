/** The pages about webhooks in English. */
export const webhooksInEnglish = {
  title: 'Webhooks',
  lead: 'A webhook tells another program, at once, what happens in your store. Here you see who is told what, and whether it arrives.',
  none: 'This store has no webhook. An app that you connect makes its own; for a program of yours you make one through the API.',
  docs: 'Read how webhooks are made',
  host: 'Goes to',
  events: 'Tells of',
  state: 'State',
  lastOk: 'Last success',
  never: 'Nothing has arrived yet',
  failingSince: 'Failing since',
  nextAttempt: 'Next attempt',
  soon: 'As soon as possible',
  madeBy: 'Made by',
  ownKey: 'A program with an API key',
  created: 'Made on',
  look: 'See deliveries',
  lookAt: 'See the deliveries of {name}',
  back: 'All webhooks',
  states: {
    active: 'Active',
    failing: 'Failing',
    paused: 'Paused',
    disabled: 'Switched off',
    gone: 'Switched off by its receiver',
  },
  stateHints: {
    active: 'What happens in your store is sent to it.',
    failing:
      'The receiver does not take what we send. We keep trying, and switch the webhook off after five days without success.',
    paused: 'Nothing is sent. What happens meanwhile is held until you resume it.',
    disabled:
      'Nothing had arrived for five days, so we stopped sending. What happens meanwhile is held until you resume it.',
    gone: 'The receiver answered that it is gone for good (410), so we stopped sending. What happens meanwhile is held until you resume it.',
  },
  notices: 'What we told you',
  noNotices: 'Nothing so far. A warning appears here after 24 and after 72 hours without success.',
  noticeKinds: {
    failing_24h: 'Nothing has arrived for 24 hours.',
    failing_72h: 'Nothing has arrived for 72 hours.',
    slowed_24h:
      'For 24 hours the receiver has only asked us to wait (429). We keep trying, and do not switch it off for that.',
    disabled: 'Switched off: nothing had arrived for five days.',
    gone: 'Switched off: the receiver answered that it is gone for good.',
    restored:
      'Our records went back to an earlier moment. Messages have a new epoch, and the receiver should read again what it keeps.',
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
    other: 'An event that is kept no longer',
  },
  news: {
    resent: 'The delivery is sent again, with a number of its own.',
    resentHeld: 'The delivery is on the list again. It goes out when you resume the webhook.',
    paused: 'The webhook is paused.',
    resumed: 'The webhook is active again.',
  },
  pause: {
    title: 'Pause',
    question: 'Pause {name}?',
    consequence:
      'Nothing more is sent to its receiver, which then knows nothing of new orders, payments or stock.',
    later:
      'What happens meanwhile is held. When you resume the webhook, you choose what of it goes out.',
    submit: 'Pause webhook',
  },
  resume: {
    title: 'Resume',
    question: 'Resume {name}?',
    pinged:
      'We first send a ping to {host}. The webhook becomes active only if it is answered with success within the time allowed.',
    parted:
      '{app} is not connected to this store any more, so its webhook cannot be resumed. Connect the app again first.',
    held: 'Deliveries that are held now: {count}.',
    heldMany: 'Deliveries that are held now: {count} or more.',
    choose: 'What goes out of what is held?',
    choices: {
      '72h': 'That of the last 72 hours',
      all: 'All of it',
      none: 'Nothing, only what happens from now on',
    },
    pace: 'Up to 500 go out at once and 500 each minute after that. What stays held can still be sent again one by one.',
    submit: 'Resume webhook',
    faults: {
      notChosen: 'Choose what goes out.',
      unanswered: 'The ping was not answered with success: {answer} Nothing has changed.',
      tooSoon:
        'Not yet: this store had a ping a moment ago. Wait ten seconds. Nothing has changed.',
      urlRefused:
        'The address of the webhook may not receive at the moment: its host is not public or cannot be looked up. Nothing has changed.',
    },
  },
  ping: {
    title: 'Send a ping',
    lead: 'A ping is a signed message without content. It shows whether {host} answers; it changes nothing in your store and is no part of the log.',
    submit: 'Send ping',
    again: 'Send another ping',
    back: 'Back to the webhook',
    wait: 'One ping every 10 seconds for each store.',
    delivered: 'The ping arrived: {answer}',
    failed: 'The ping did not arrive: {answer}',
    urlRefused:
      'No ping was sent: the address of the webhook may not receive, as its host is not public or cannot be looked up.',
    tooSoon: 'No ping was sent, as this store had one a moment ago. Wait ten seconds.',
  },
};
