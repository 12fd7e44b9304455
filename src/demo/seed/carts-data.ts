/** A cart; the shipping service is its natural key in the demo. */
export interface CartSeed {
  service: string;
  shipping: number;
  /** E-mail address of a demo customer. Absent for a guest. */
  customer?: string;
  guest?: { name: string; email: string; phone: string | null };
  items: readonly { sku: string; quantity: number }[];
  minutesAgo: number;
}

const dayMinutes = 24 * 60;

/** Open, open (idle for an hour two minutes after the start), abandoned and expired. */
export const demoCarts: readonly CartSeed[] = [
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
    minutesAgo: 3 * dayMinutes,
  },
  {
    service: 'Transportadora',
    shipping: 44,
    customer: 'tomas@cliente.test',
    items: [{ sku: 'TRAVESSA-G', quantity: 1 }],
    minutesAgo: 33 * dayMinutes,
  },
];

export const outletCarts: readonly CartSeed[] = [
  {
    service: 'PAC',
    shipping: 15,
    guest: { name: 'Nina Prates', email: 'nina@cliente.test', phone: null },
    items: [{ sku: 'CINTO-VQ', quantity: 1 }],
    minutesAgo: 5,
  },
];
