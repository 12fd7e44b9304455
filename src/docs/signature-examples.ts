import type { DocsPageProps } from '../pages/docs/props.ts';

/** Returns code that verifies the signature of a delivery over the received bytes. */
export function signatureExamples(header: string): DocsPageProps['signatureExamples'] {
  const php = `HTTP_${header.toUpperCase().replaceAll('-', '_')}`;
  return [
    {
      caption: 'TypeScript (Node, Deno, Bun, Workers)',
      code: `export async function isGenuine(request: Request, secret: string): Promise<boolean> {
  const signature = request.headers.get('${header}') ?? '';
  if (!/^[A-Za-z0-9+/]{43}=$/.test(signature)) return false;
  const body = await request.clone().arrayBuffer();
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const bytes = Uint8Array.from(atob(signature), (char) => char.charCodeAt(0));
  return crypto.subtle.verify('HMAC', key, bytes, body);
}`,
    },
    {
      caption: 'PHP',
      code: `<?php
$body = file_get_contents('php://input');
$signature = $_SERVER['${php}'] ?? '';
$expected = base64_encode(hash_hmac('sha256', $body, getenv('WEBHOOK_SECRET'), true));
if (!hash_equals($expected, $signature)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);`,
    },
    {
      caption: 'Python',
      code: `import base64, hashlib, hmac

def is_genuine(body: bytes, headers, secret: str) -> bool:
    expected = base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest())
    return hmac.compare_digest(expected, headers.get("${header}", "").encode())`,
    },
    {
      caption: 'Ruby (body = request.body.read, before anything parses it)',
      code: `require 'openssl'

def genuine?(body, signature, secret)
  expected = [OpenSSL::HMAC.digest('SHA256', secret, body)].pack('m0')
  OpenSSL.secure_compare(expected, signature.to_s) # signature = request.get_header('${php}')
end`,
    },
    {
      caption: 'Go (body from io.ReadAll, before anything decodes it)',
      code: `func isGenuine(body []byte, header http.Header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	signature, err := base64.StdEncoding.DecodeString(header.Get("${header}"))
	return err == nil && hmac.Equal(signature, mac.Sum(nil))
}`,
    },
    {
      caption: 'Shell (prints the expected value of the header)',
      code: `openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -binary body.json | base64`,
    },
  ];
}
