import type { Access, Area } from '../access/scopes.ts';
import { areas } from '../access/scopes.ts';

/** What a token may do with an area: read; write, which includes read (contract 5). */
const meanings: Record<Area, readonly [read: string, write: string]> = {
  catalog: [
    'See products, brands, kits, categories, collections, filters, banners, seals and feeds.',
    'Create, change and delete everything in the catalogue.',
  ],
  inventory: ['See the stock.', 'Change the stock.'],
  comments: [
    'See product comments with the names and e-mail addresses of their authors.',
    'Approve, answer, change and delete product comments.',
  ],
  customers: [
    'See customers and their addresses.',
    'Create, change and delete customers and their addresses.',
  ],
  carts: ['See open and abandoned carts.', 'Create and change carts, and send reminders.'],
  orders: ['See orders.', 'Create orders and change their status.'],
  invoices: ['See invoices.', 'Issue, correct and cancel invoices.'],
  transactions: [
    "See payments, with the payers' names and documents.",
    'Capture, cancel and refund payments.',
  ],
  payments: ['See the payment settings.', 'Change the payment settings.'],
  config: [
    "See who the store's e-mails are sent from.",
    "Replace the mail account that the store's e-mails are sent with.",
  ],
  webhooks: [
    'See the webhooks that this app has set up.',
    'Have news of the store sent to addresses that this app chooses.',
  ],
};

/** Every scope with what it allows. */
export const scopeMeanings: Record<string, string> = Object.fromEntries(
  areas.flatMap((area) => {
    const [read, write] = meanings[area];
    return [
      [`${area}.read`, read],
      [`${area}.write`, `${write} Includes ${area}.read.`],
    ];
  }),
);

/** The two ways to authenticate; each needs two headers. */
export const securitySchemes = {
  userToken: {
    type: 'apiKey',
    in: 'header',
    name: 'User-Token',
    description: 'Half of the header pair; goes with User-Secret-Key.',
  },
  userSecretKey: {
    type: 'apiKey',
    in: 'header',
    name: 'User-Secret-Key',
    description: 'The other half of the header pair.',
  },
  oauth: {
    type: 'oauth2',
    description:
      'Authorization code with PKCE (S256), without a client secret. Access tokens live 10 minutes, refresh tokens 30 days.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/oauth/authorize',
        tokenUrl: '/oauth/token',
        refreshUrl: '/oauth/token',
        scopes: scopeMeanings,
      },
    },
  },
  partnerClientId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Partner-Client-ID',
    description: 'The client id of the app; goes with its bearer token.',
  },
};

/** Either both headers of the pair, or a token with its client id. */
export function securityOf(access: Access): Record<string, string[]>[] {
  const scopes = access === 'signed-in' ? [] : [access];
  return [
    { userToken: [], userSecretKey: [] },
    { oauth: scopes, partnerClientId: [] },
  ];
}
