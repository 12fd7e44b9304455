import {
  isScope,
  type RequiredAccess,
  type ScopeArea,
  scopeAreas,
} from '../../data/grants/scopes.ts';
import type { SecurityScheme } from './types.ts';

/** The permissions of a token in an area. The scope to write includes the one to read. */
const areaDescriptions: Record<ScopeArea, readonly [read: string, write: string]> = {
  catalog: [
    'See products, brands, bundles, categories, collections, filters, banners, flags and feeds.',
    'Create, change and delete everything in the catalogue.',
  ],
  inventory: ['See the stock of SKUs, also in products.', 'Change the stock.'],
  comments: [
    'See product comments with the names and e-mail addresses of their authors.',
    'Approve, answer, change and delete product comments.',
  ],
  customers: [
    'See customers and their addresses, also in carts and orders.',
    'Create, change and delete customers and their addresses.',
  ],
  carts: [
    'See open and abandoned carts, with the contact details of guests.',
    'Create and change carts, and send reminders.',
  ],
  orders: [
    "See orders with their items, shipping addresses and invoices, and payments with the payers' names and documents.",
    'Create orders, also from carts, and change their status.',
  ],
  invoices: ['See invoices.', 'Issue, correct and cancel invoices.'],
  transactions: [
    "See payments, with the payers' names and documents.",
    'Capture, cancel and refund payments.',
  ],
  payments: ['See the payment settings.', 'Change the payment settings.'],
  config: [
    "See who the store's e-mails are sent from, its settings, and who changed what.",
    "Replace the mail account that the store's e-mails are sent with.",
  ],
  webhooks: [
    'See the webhooks that this app has set up.',
    'Send events of the store to addresses that this app chooses.',
  ],
};

/** Description of every scope. */
const scopeDescriptions: Record<string, string> = Object.fromEntries(
  scopeAreas.flatMap((area) => {
    const [read, write] = areaDescriptions[area];
    return [
      [`${area}.read`, read],
      [`${area}.write`, `${write} Includes ${area}.read.`],
    ];
  }),
);

/**
 * The two ways to authenticate: an API key, or a token of an app. Each needs two headers. `origin`
 * is that of the service.
 */
export const securitySchemes = (origin: string): Record<string, SecurityScheme> => ({
  userToken: {
    type: 'apiKey',
    in: 'header',
    name: 'User-Token',
    description:
      'First half of the API key of a merchant, who makes keys at /account/keys. Send it together with User-Secret-Key.',
  },
  userSecretKey: {
    type: 'apiKey',
    in: 'header',
    name: 'User-Secret-Key',
    description:
      'Second half of the API key, shown once when the key is made. Keep it on your server: it opens every store of the user, unless the key was made for fewer.',
  },
  oauth: {
    type: 'oauth2',
    description:
      'For apps that other merchants install: authorization code with PKCE (S256). Access tokens live 10 minutes, refresh tokens 30 days.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${origin}/oauth/authorize`,
        tokenUrl: `${origin}/oauth/token`,
        refreshUrl: `${origin}/oauth/token`,
        scopes: scopeDescriptions,
      },
    },
  },
  partnerClientId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Partner-Client-ID',
    description:
      'Client id of the app that the bearer token was issued to. Without it a bearer token is refused.',
  },
});

/**
 * Returns the alternatives: both headers of an API key, or a bearer token with its client id, which
 * no operator has.
 */
export function securityRequirements(access: RequiredAccess): Record<string, string[]>[] {
  const apiKey = { userToken: [], userSecretKey: [] };
  if (access === 'operator') return [apiKey];
  const scopes = isScope(access) ? [access] : [];
  return [apiKey, { oauth: scopes, partnerClientId: [] }];
}
