import { fromBase64, toBase64 } from './base64.ts';

/** The keys in wrangler.toml for the local runtime. They are public. */
const publishedKeys: ReadonlySet<string> = new Set([
  'bG9jYWwta2V5LW5ldmVyLXVzZWQtaW4tcHJvZHVjdGk=',
  'bG9jYWwtdG9rZW4ta2V5LW5ldmVyLWluLXByb2R1Y3Q=',
  'bG9jYWwtY2hlY2sta2V5LW5ldmVyLWluLXByb2R1Y3Q=',
]);

/** 32 random bytes have about 30 different values; fewer than 16 never happen. */
const minDifferentBytes = 16;

/**
 * Finds root keys (32 bytes in base64, by name) that a deployment must not use: published ones,
 * equal ones, and bytes that are not random. Returns messages that never contain a value.
 */
export function findUnsafeKeys(
  keys: Readonly<Record<string, string | undefined>>,
): { name: string; message: string }[] {
  const seen = new Map<string, string>();
  const problems: { name: string; message: string }[] = [];
  for (const [name, text] of Object.entries(keys)) {
    if (text === undefined) continue;
    const bytes = fromBase64(text);
    // Normalizes the spelling: the last character of base64 has unused bits.
    const key = toBase64(bytes);
    const other = seen.get(key);
    seen.set(key, name);
    const message = publishedKeys.has(key)
      ? 'Must not be a local key, which is public.'
      : other !== undefined
        ? `Must differ from ${other}.`
        : new Set(bytes).size < minDifferentBytes
          ? 'Must be random bytes: openssl rand -base64 32.'
          : undefined;
    if (message !== undefined) problems.push({ name, message });
  }
  return problems;
}
