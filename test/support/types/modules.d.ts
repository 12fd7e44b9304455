declare module '*?raw' {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** Files by pattern, as the test runner's bundler reads them. */
  glob<T>(
    patterns: string[],
    options: { query: string; import: string; eager: true },
  ): Record<string, T>;
  glob(patterns: string[]): Record<string, () => Promise<unknown>>;
}

declare module 'shopify-hmac-validation' {
  /** Whether the header is the base64 HMAC-SHA256 of the raw body under the secret. */
  export function checkWebhookHmacValidity(secret: string, body: string, header: string): boolean;
}
