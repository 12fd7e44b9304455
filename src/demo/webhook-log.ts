/** A delivery of the demo's log. */
export interface DemoDelivery {
  event: 'product.created' | 'product.updated' | 'product.inventory.updated';
  product: string;
  /** When the event was, in hours before now. */
  hoursAgo: number;
  /** `webhook_deliveries.state` */
  state: 'delivered' | 'gaveUp' | 'held';
  /** What each try came to, the last one last. */
  tries: readonly { code: number; answer: string }[];
  /** Number of the delivery that this one sends again. */
  replayOf?: number;
}

const busy = { code: 503, answer: 'Service Unavailable' };
const ok = { code: 200, answer: 'ok' };

/** What the demo's webhook has been through: first tries, a second one, one in vain, a replay, one that waits. */
export const demoLog: readonly DemoDelivery[] = [
  {
    event: 'product.created',
    product: 'Café Especial Torrado em Grãos',
    hoursAgo: 150,
    state: 'delivered',
    tries: [ok],
  },
  {
    event: 'product.updated',
    product: 'Café Especial Torrado em Grãos',
    hoursAgo: 149,
    state: 'delivered',
    tries: [busy, ok],
  },
  {
    event: 'product.inventory.updated',
    product: 'Café Especial Torrado em Grãos',
    hoursAgo: 148,
    state: 'gaveUp',
    tries: Array.from({ length: 15 }, () => ({ code: 422, answer: 'Unknown SKU' })),
  },
  {
    event: 'product.inventory.updated',
    product: 'Café Especial Torrado em Grãos',
    hoursAgo: 48,
    state: 'delivered',
    tries: [ok],
    replayOf: 3,
  },
  {
    event: 'product.created',
    product: 'Caneca de Cerâmica Ipê',
    hoursAgo: 2,
    state: 'held',
    tries: [],
  },
];
