import type { CodeProps } from '../pages/docs-props.ts';

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
      caption: 'Ruby (body = request.body.read, before anything parses it)',
      code: `require 'openssl'

def genuine?(body, sent, secret)
  made = [OpenSSL::HMAC.digest('SHA256', secret, body)].pack('m0')
  OpenSSL.secure_compare(made, sent.to_s) # sent = request.get_header('${php}')
end`,
    },
    {
      caption: 'Go (body from io.ReadAll, before anything decodes it)',
      code: `func isGenuine(body []byte, header http.Header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	sent, err := base64.StdEncoding.DecodeString(header.Get("${header}"))
	return err == nil && hmac.Equal(sent, mac.Sum(nil))
}`,
    },
    {
      caption: 'Shell: must print what the header says',
      code: `openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -binary body.json | base64`,
    },
  ];
}
