import type { CodeProps } from '../pages/docs-props.ts';
import { curl, type Setting } from './curl.ts';

/** The first three calls of a newcomer. */
export function firstCalls(setting: Setting): CodeProps[] {
  return [
    {
      caption: '1. Who am I, and which stores do I reach?',
      code: curl(setting, 'POST', '/auth/me'),
    },
    {
      caption: '2. Hear of new and changed products; keep the secret_key of the answer',
      code: curl(setting, 'POST', '/{alias}/webhooks', firstWebhook(setting.receiver)),
    },
    {
      caption: '3. Create a product with a SKU and its stock; brand_id is the id of a brand',
      code: curl(setting, 'POST', '/{alias}/catalog/products', firstProduct),
    },
  ];
}

/** The body of the second. */
export const firstWebhook = (url: string) => ({
  name: 'New products',
  url,
  events: ['product.created', 'product.updated'],
});

/** The body of the third. */
export const firstProduct = {
  name: 'Blue T-shirt',
  simple: true,
  brand_id: 1,
  active: true,
  skus: [{ sku: 'TSHIRT-BLUE-M', price_sale: 129.9, quantity: 25 }],
};

/** The three steps of a partner app. */
export function oauthSteps(authUrl: string, { baseUrl }: Setting): CodeProps[] {
  return [
    {
      caption: '1. Send the merchant here',
      code: `${authUrl}/oauth/authorize?response_type=code&client_id=CLIENT_ID&redirect_uri=REDIRECT_URI&state=RANDOM&code_challenge=CHALLENGE&code_challenge_method=S256`,
    },
    {
      caption: '2. Exchange the code; later refresh with grant_type=refresh_token',
      code: `curl '${authUrl}/oauth/token' \\
  -d grant_type=authorization_code -d client_id=CLIENT_ID -d code=CODE \\
  --data-urlencode 'redirect_uri=REDIRECT_URI' -d code_verifier=VERIFIER`,
    },
    {
      caption: '3. Call with the token',
      code: `curl -X POST '${baseUrl}/auth/me' \\
  -H 'Authorization: Bearer ACCESS_TOKEN' \\
  -H 'X-Partner-Client-ID: CLIENT_ID'`,
    },
  ];
}
