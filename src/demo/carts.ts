/** A cart that somebody left; `service` is what it is known by in the demo. */
export interface DemoCart {
  service: string;
  shipping: number;
  /** Somebody who never was: the e-mail address of a demo customer, or a guest. */
  customer?: string;
  guest?: { name: string; email: string; phone: string | null };
  items: readonly { sku: string; quantity: number }[];
  minutesAgo: number;
}

const day = 24 * 60;

/** One of each state; the second is left idle for an hour soon after the demo began. */
export const demoCarts: readonly DemoCart[] = [
  {
    service: 'PAC',
    shipping: 18.9,
    customer: 'helena@cliente.test',
    items: [
      { sku: 'CAFE-GRAO-500', quantity: 2 },
      { sku: 'GELEIA-ACAI', quantity: 1 },
    ],
    minutesAgo: 20,
  },
  {
    service: 'SEDEX',
    shipping: 31.5,
    guest: { name: 'Iara Monteiro', email: 'iara@cliente.test', phone: '+55 21 90000-0101' },
    items: [{ sku: 'MORINGA-12', quantity: 1 }],
    minutesAgo: 58,
  },
  {
    service: 'Retirada na loja',
    shipping: 0,
    guest: { name: 'Davi Rocha', email: 'davi@cliente.test', phone: null },
    items: [
      { sku: 'TOALHA-MARE-AZ', quantity: 1 },
      { sku: 'AVENTAL-QT', quantity: 2 },
    ],
    minutesAgo: 3 * day,
  },
  {
    service: 'Transportadora',
    shipping: 44,
    customer: 'tomas@cliente.test',
    items: [{ sku: 'TRAVESSA-G', quantity: 1 }],
    minutesAgo: 33 * day,
  },
];

export const outletCarts: readonly DemoCart[] = [
  {
    service: 'PAC',
    shipping: 15,
    guest: { name: 'Nina Prates', email: 'nina@cliente.test', phone: null },
    items: [{ sku: 'CINTO-VQ', quantity: 1 }],
    minutesAgo: 5,
  },
];
