/** HMAC-SHA-256 (RFC 2104) under an imported key, cut to its first bytes. */
export async function mac(key: CryptoKey, message: Uint8Array, length = 32): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message), 0, length);
}

/** Whether a tag is the one that {@link mac} makes; compared in constant time. */
export async function isMacOf(
  key: CryptoKey,
  message: Uint8Array,
  tag: Uint8Array,
): Promise<boolean> {
  return crypto.subtle.timingSafeEqual(await mac(key, message, tag.length), tag);
}
