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

/** How a receiver checks the signature, over the bytes that came. */
export function verification(header: string): CodeProps[] {
  const php = `HTTP_${header.toUpperCase().replaceAll('-', '_')}`;
  return [
    {
      caption: 'TypeScript (Node, Deno, Bun, Workers)',
      code: `export async function isGenuine(request: Request, secret: string): Promise<boolean> {
  const sent = request.headers.get('${header}') ?? '';
  if (!/^[A-Za-z0-9+/]{43}=$/.test(sent)) return false;
  const body = await request.clone().arrayBuffer();
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const signature = Uint8Array.from(atob(sent), (char) => char.charCodeAt(0));
  return crypto.subtle.verify('HMAC', key, signature, body);
}`,
    },
    {
      caption: 'PHP',
      code: `<?php
$body = file_get_contents('php://input');
$sent = $_SERVER['${php}'] ?? '';
$made = base64_encode(hash_hmac('sha256', $body, getenv('WEBHOOK_SECRET'), true));
if (!hash_equals($made, $sent)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);`,
    },
    {
      caption: 'Python',
      code: `import base64, hashlib, hmac

def is_genuine(body: bytes, headers, secret: str) -> bool:
    made = base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest())
    return hmac.compare_digest(made, headers.get("${header}", "").encode())`,
    },
    {
      caption: 'Shell: must print what the header says',
      code: `openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -binary body.json | base64`,
    },
  ];
}
