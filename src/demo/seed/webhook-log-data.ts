/** A delivery in the log of the demo's webhook. */
export interface DeliverySeed {
  event: 'product.created' | 'product.updated' | 'product.inventory.updated';
  product: string;
  /** Age of the event in hours. */
  hoursAgo: number;
  /** A name of `DeliveryState`. */
  state: 'delivered' | 'gaveUp' | 'held';
  /** The responses in the order of the attempts. */
  attempts: readonly { status: number; body: string }[];
  /** Sequence number of the delivery that this one replays. */
  replayOf?: number;
}

const busy = { status: 503, body: 'Service Unavailable' };
const ok = { status: 200, body: 'ok' };

/**
 * Successes at the first and second attempt, a delivery that was given up, a replay, and a held
 * delivery.
 */
export const demoDeliveries: readonly DeliverySeed[] = [
  {
    event: 'product.created',
    product: 'Café Especial Torrado em Grãos',
    hoursAgo: 150,
    state: 'delivered',
    attempts: [ok],
  },
  {
    event: 'product.updated',
    product: 'Café Especial Torrado em Grãos',
    hoursAgo: 149,
    state: 'delivered',
    attempts: [busy, ok],
  },
  {
    event: 'product.inventory.updated',
    product: 'Café Especial Torrado em Grãos',
    hoursAgo: 148,
    state: 'gaveUp',
    attempts: Array.from({ length: 15 }, () => ({ status: 422, body: 'Unknown SKU' })),
  },
  {
    event: 'product.inventory.updated',
    product: 'Café Especial Torrado em Grãos',
    hoursAgo: 48,
    state: 'delivered',
    attempts: [ok],
    replayOf: 3,
  },
  {
    event: 'product.created',
    product: 'Caneca de Cerâmica Ipê',
    hoursAgo: 2,
    state: 'held',
    attempts: [],
  },
];
