import { browserPaths, docsPaths } from '../base/page-paths.ts';
import { demoStores, demoApiKeys, demoUsers } from './seed/account-data.ts';

const demoEvents = [
  'product.created',
  'product.updated',
  'product.deleted',
  'product.inventory.updated',
];

/**
 * The text that `npm start` prints: addresses, credentials, and three calls that lead to a signed
 * event.
 */
export function formatBanner(origin: string, isWindows: boolean): string {
  const calls = curlExamples(origin, isWindows);
  const credentials = demoApiKeys.flatMap(({ owner, token, secret }) => [
    `  ${describeStores(owner)}`,
    `    User-Token: ${token}`,
    `    User-Secret-Key: ${secret}`,
  ]);
  const logins = demoUsers.map(({ email }) => `    ${email}, demo-password-${email.split('@')[0]}`);
  return `
  Online Store Administration API, with demo data

  Base URL     ${origin}/v2
  Docs         ${origin}${docsPaths.home}
  Demo inbox   ${origin}/demo/inbox
  Demo mail    ${origin}/demo/mail
  Account      ${origin}${browserPaths.account}
  Partners     ${origin}${browserPaths.partners}
  Operators    ${origin}${browserPaths.operator}

${credentials.join('\n')}
  Sign in in a browser with
${logins.join('\n')}

  Who am I?
${calls.me}

  Send the events of the store to the demo inbox:
${calls.webhook}

  Cause one, then open the inbox:
${calls.product}

  Ctrl-C stops the server; the data is kept. One line per request follows.
`;
}

/**
 * The text that `npm start -- --empty` prints. `setupLink` creates the first operator; absent if
 * there is one.
 */
export const formatEmptyBanner = (origin: string, setupLink: string | undefined) => `
  Online Store Administration API, without data

  Base URL     ${origin}/v2
  Docs         ${origin}${docsPaths.home}
  Mails        ${origin}/demo/mail
  Operators    ${origin}${browserPaths.operator}

  ${
    setupLink === undefined
      ? 'There is an operator already, who signs in at the last address.'
      : `Make the first operator with this link, which works once:\n\n  ${setupLink}`
  }

  Ctrl-C stops the server; the data is kept. One line per request follows.
`;

function describeStores(owner: string): string {
  if (demoApiKeys.some((key) => key.owner === owner && 'isForOperators' in key)) {
    return `The service itself, of ${owner}, for npm run operator`;
  }
  const names = demoStores
    .filter((store) => store.owner === owner)
    .map(({ alias, active }) => (active ? alias : `${alias} (inactive)`));
  return `${names.length > 1 ? 'Stores' : 'Store'} ${names.join(', ')}, of ${owner}`;
}

/** The three calls of the banner. Each can be repeated. */
export function curlExamples(origin: string, isWindows: boolean) {
  // cmd.exe does not support single quotes.
  const quote = (text: string) =>
    isWindows ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", `'\\''`)}'`;
  const [{ token, secret }] = demoApiKeys;
  const post = (path: string, body?: object) =>
    [
      `curl -X POST ${origin}/v2${path}`,
      `-H ${quote(`User-Token: ${token}`)} -H ${quote(`User-Secret-Key: ${secret}`)}`,
      ...(body
        ? [`-H ${quote('Content-Type: application/json')} -d ${quote(JSON.stringify(body))}`]
        : []),
    ].join(' ');
  return {
    me: post('/auth/me'),
    webhook: post('/demo/webhooks', {
      name: 'Demo inbox',
      url: `${origin}/demo/inbox`,
      events: demoEvents,
    }),
    product: post('/demo/catalog/products', {
      name: 'Caneca esmaltada 350 ml',
      simple: true,
      active: true,
      brand_id: 2,
    }),
  };
}
