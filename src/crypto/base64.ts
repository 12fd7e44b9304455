/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 8_192) {
    // In pieces, because arguments of a call live on the stack.
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(text);
}

/** The alphabet that is safe in URLs, without padding (RFC 4648, section 5). */
export function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reads both alphabets, padded or not. Throws on anything else. */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
