import type { OrderStatus } from '../../data/schema/store/orders-tables.ts';
import type { paymentAliases } from '../../data/schema/store/payments-tables.ts';

/** An order; its tracking code is its natural key in the demo. */
export interface OrderSeed {
  trackCode: string;
  /** E-mail address of a demo customer with an address. */
  email: string;
  daysAgo: number;
  items: readonly { sku: string; quantity: number }[];
  /** In reais. */
  shipment: number;
  payment: (typeof paymentAliases)[number];
  installments?: number;
  /** The statuses after placement, one a day. */
  statuses: readonly OrderStatus[];
}

export const demoOrders: readonly OrderSeed[] = [
  {
    trackCode: 'BR000000001',
    email: 'helena@cliente.test',
    daysAgo: 30,
    items: [
      { sku: 'CAFE-GRAO-500', quantity: 2 },
      { sku: 'CANECA-IPE-RX', quantity: 1 },
    ],
    shipment: 18.9,
    payment: 'credit_card',
    installments: 3,
    statuses: ['paid', 'invoiced', 'on_carriage', 'delivered'],
  },
  {
    trackCode: 'BR000000002',
    email: 'tomas@cliente.test',
    daysAgo: 6,
    items: [{ sku: 'TRAVESSA-P', quantity: 1 }],
    shipment: 24.5,
    payment: 'pix',
    statuses: ['paid', 'handling_products'],
  },
  {
    trackCode: 'BR000000003',
    email: 'helena@cliente.test',
    daysAgo: 4,
    items: [{ sku: 'MORINGA-12', quantity: 1 }],
    shipment: 0,
    payment: 'credit_card',
    statuses: ['refused'],
  },
  {
    trackCode: 'BR000000004',
    email: 'tomas@cliente.test',
    daysAgo: 0,
    items: [{ sku: 'GELEIA-ACAI', quantity: 3 }],
    shipment: 15,
    payment: 'billet',
    statuses: [],
  },
];
