import type { Messages } from '../en/messages.ts';

/** The powers of an API key, in Spanish. */
export const apiKeysInSpanish: Messages['apiKeys'] = {
  stores: '¿Para qué tiendas?',
  allStores: 'Todas mis tiendas, también las futuras',
  chosenStores: 'Solo las tiendas que yo marque',
  powers: '¿Qué puede hacer?',
  powersHint: 'En una tienda que solo puedes ver, la clave también solo lee.',
  onlyReads: 'Puedes ver tus tiendas, pero no cambiar nada; por eso la clave solo lee.',
  presets: {
    read: 'Solo leer: todo lo que yo puedo ver',
    stock: 'Stock y precios: cambiar el stock y el catálogo, precios incluidos',
    orders: 'Pedidos: cambiar pedidos y facturas, leer clientes, catálogo y stock',
    all: 'Todo lo que yo puedo hacer',
  },
  chosenPowers: 'Solo lo que elija aquí',
  areaPowers: { none: 'Nada', read: 'Leer', write: 'Leer y cambiar' },
  expiry: '¿Durante cuánto tiempo vale?',
  expiries: {
    '30': '30 días',
    '90': '90 días',
    '365': 'Un año',
    never: 'Hasta que la revoque',
  },
  reads: 'Lecturas',
  nearReads:
    'Las lecturas de catálogo, stock y configuración pueden venir de una copia cercana, que puede tener algunos segundos de retraso.',
  operators: 'Para operadores',
  forOperators: 'La clave también puede hacer lo que hacen los operadores del servicio.',
  errors: {
    nameMissing: 'Escribe un nombre.',
    nameLong: 'El nombre tiene más de 80 caracteres.',
    storesNone: 'Elige todas tus tiendas o marca al menos una.',
    storesBoth: 'Marcaste tiendas y elegiste todas. Decídete por una opción.',
    powersNone: 'Elige un conjunto fijo o al menos un área.',
    powersBoth: 'Elegiste áreas y también un conjunto fijo. Decídete por una opción.',
    expiryMissing: 'Elige durante cuánto tiempo vale la clave.',
    tooMany: 'Tienes 20 claves de API, el máximo. Revoca una que no uses.',
  },
  limits: 'Lo que puede hacer',
  everyStore: 'Todas tus tiendas',
  everything: 'Todo lo que puedes hacer',
  leftStore: 'Una tienda que dejaste',
  ends: 'Vale hasta',
  noEnd: 'Sin límite',
  expired: 'Vencida',
};
