import { textPathParam } from '../http/operation.ts';
import type { DocsPageProps } from '../pages/docs/props.ts';

/** The example store of a local deployment: with its API key the examples work as they stand. */
export interface LocalExample {
  alias: string;
  userToken: string;
  userSecretKey: string;
  /** Path of a page of this deployment that receives webhooks. */
  receiverPath: string;
}

/** The values that the examples of the API reference contain. */
export interface ExampleContext {
  baseUrl: string;
  alias: string;
  userToken: string;
  userSecretKey: string;
  /** URL of the first webhook. */
  receiverUrl: string;
}

/** Returns the values of `localExample`, or placeholders for the reader to replace. */
export function createExampleContext(
  baseUrl: string,
  localExample: LocalExample | undefined,
): ExampleContext {
  if (localExample === undefined) {
    return {
      baseUrl,
      alias: 'YOUR-STORE',
      userToken: 'YOUR_API_KEY',
      userSecretKey: 'YOUR_API_SECRET_KEY',
      receiverUrl: 'https://example.com/hooks/products',
    };
  }
  const { receiverPath, ...values } = localExample;
  return { ...values, baseUrl, receiverUrl: `${new URL(baseUrl).origin}${receiverPath}` };
}

/** Returns the curl command that calls an operation with the API key. Numeric ids are 1. */
export function curlCommand(
  context: ExampleContext,
  method: string,
  path: string,
  body?: unknown,
): string {
  const { baseUrl, alias, userToken, userSecretKey } = context;
  const url =
    baseUrl +
    path
      .replace('{alias}', alias)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => textPathParam(name)?.example ?? '1');
  const parts = [
    `curl${method === 'GET' && body === undefined ? '' : ` -X ${method}`} ${shellQuote(url)}`,
    `-H ${shellQuote(`User-Token: ${userToken}`)}`,
    `-H ${shellQuote(`User-Secret-Key: ${userSecretKey}`)}`,
  ];
  if (body !== undefined) {
    parts.push(`-H 'Content-Type: application/json'`, `-d ${shellQuote(JSON.stringify(body))}`);
  }
  return parts.join(' \\\n  ');
}

const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the first three calls to try. */
export function firstCallExamples(context: ExampleContext): DocsPageProps['firstCalls'] {
  return [
    {
      caption: '1. Who am I, and which stores can I use?',
      code: curlCommand(context, 'POST', '/auth/me'),
    },
    {
      caption: '2. Receive new and changed products; keep secret_key from the response',
      code: curlCommand(
        context,
        'POST',
        '/{alias}/webhooks',
        firstWebhookBody(context.receiverUrl),
      ),
    },
    {
      caption:
        '3. Create a product with a SKU and its stock; brand_id is the id of one of your brands',
      code: curlCommand(context, 'POST', '/{alias}/catalog/products', firstProductBody),
    },
  ];
}

/** Body of the call that creates the first webhook. */
export const firstWebhookBody = (url: string) => ({
  name: 'New products',
  url,
  events: ['product.created', 'product.updated'],
});

/** Body of the call that creates the first product. */
export const firstProductBody = {
  name: 'Blue T-shirt',
  simple: true,
  brand_id: 1,
  active: true,
  skus: [{ sku: 'TSHIRT-BLUE-M', price_sale: 129.9, quantity: 25 }],
};

/** Returns the three OAuth steps of a partner app. */
export function oauthExamples(
  authUrl: string,
  { baseUrl }: ExampleContext,
): DocsPageProps['oauthCalls'] {
  return [
    {
      caption: '1. Send the merchant to this address',
      code: `${authUrl}/oauth/authorize?response_type=code&client_id=CLIENT_ID&redirect_uri=REDIRECT_URI&state=RANDOM&code_challenge=CHALLENGE&code_challenge_method=S256`,
    },
    {
      caption: '2. Exchange the code; later refresh with grant_type=refresh_token',
      code: `curl '${authUrl}/oauth/token' \\
  -d grant_type=authorization_code -d client_id=CLIENT_ID -d code=CODE \\
  --data-urlencode 'redirect_uri=REDIRECT_URI' -d code_verifier=VERIFIER`,
    },
    {
      caption: '3. Call the API with the token',
      code: `curl -X POST '${baseUrl}/auth/me' \\
  -H 'Authorization: Bearer ACCESS_TOKEN' \\
  -H 'X-Partner-Client-ID: CLIENT_ID'`,
    },
  ];
}
