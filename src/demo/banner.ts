import { demoStores, pairs, people } from './people.ts';

/** Events that calls of this release cause. */
const inboxEvents = [
  'product.created',
  'product.updated',
  'product.deleted',
  'product.inventory.updated',
];

/** What a newcomer needs: addresses, credentials, and three calls that lead to a signed event. */
export function banner(origin: string, isWindows: boolean): string {
  const calls = curlLines(origin, isWindows);
  const credentials = pairs.flatMap(({ owner, token, secret }) => [
    `  ${storesOf(owner)}`,
    `    User-Token: ${token}`,
    `    User-Secret-Key: ${secret}`,
  ]);
  const logins = people.map(({ email }) => `    ${email}, demo-password-${email.split('@')[0]}`);
  return `
  Online Store Administration API, with demo data

  Base URL     ${origin}/v2
  Docs         ${origin}/docs
  Demo inbox   ${origin}/demo/inbox
  Account      ${origin}/account
  Partners     ${origin}/partners

${credentials.join('\n')}
  To sign in in a browser
${logins.join('\n')}

  Who am I?
${calls.me}

  Send the events of the store to the demo inbox:
${calls.webhook}

  Make one happen, then look into the inbox:
${calls.product}

  Ctrl-C ends it; the data stays. One line per request follows.
`;
}

function storesOf(owner: string): string {
  const names = demoStores
    .filter((store) => store.owner === owner)
    .map(({ alias, active }) => (active ? alias : `${alias} (inactive)`));
  return `${names.length > 1 ? 'Stores' : 'Store'} ${names.join(', ')}, of ${owner}`;
}

/** The three calls of the banner. Each works again and again. */
export function curlLines(origin: string, isWindows: boolean) {
  // cmd.exe knows no single quotes.
  const quote = (text: string) =>
    isWindows ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", `'\\''`)}'`;
  const [{ token, secret }] = pairs;
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
      events: inboxEvents,
    }),
    product: post('/demo/catalog/products', {
      name: 'Caneca esmaltada 350 ml',
      simple: true,
      active: true,
      brand_id: 2,
    }),
  };
}
