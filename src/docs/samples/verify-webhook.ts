/** Seconds that a delivery may be old. */
const tolerance = 300;

/** Your secret; during a rotation the old and the new one, separated by a space. */
const secrets = (process.env['WEBHOOK_SECRETS'] ?? '').split(' ');

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** Compares in constant time whether `signature` (base64) is the HMAC-SHA256 of `content`. */
async function isSignedBy(
  key: Uint8Array<ArrayBuffer>,
  signature: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(signature)) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', imported, fromBase64(signature), content);
}

/** Whether a delivery is genuine and fresh. `body` is the raw body, before anything parses it. */
export async function verify(body: Uint8Array<ArrayBuffer>, headers: Headers): Promise<boolean> {
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > tolerance) return false;

  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  const signatures = (headers.get('webhook-signature') ?? '').split(' ').slice(0, 8);
  for (const secret of secrets) {
    const key = fromBase64(secret.replace(/^whsec_/, ''));
    for (const signature of signatures) {
      if (await isSignedBy(key, signature.replace(/^v1,/, ''), content)) return true;
    }
  }
  return false;
}

/** Whether a delivery is genuine, by the service's own header. It does not cover the time. */
export async function verifyBody(
  body: Uint8Array<ArrayBuffer>,
  headers: Headers,
): Promise<boolean> {
  const signature = headers.get('X-{{service}}-Hmac-SHA256') ?? '';
  for (const secret of secrets) {
    if (await isSignedBy(new TextEncoder().encode(secret), signature, body)) return true;
  }
  return false;
}

/** The receiver, for Workers, Deno and Bun. */
export default {
  async fetch(request: Request): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer());
    if (!(await verify(body, request.headers))) return new Response(null, { status: 401 });
    const event: unknown = JSON.parse(new TextDecoder().decode(body));
    // Store the event under its webhook-id, answer, and work afterwards.
    console.log(request.headers.get('webhook-id'), event);
    return new Response(null, { status: 204 });
  },
};
