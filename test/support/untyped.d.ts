declare module 'shopify-hmac-validation' {
  /** Whether the header is the base64 HMAC-SHA256 of the raw body under the secret. */
  export function checkWebhookHmacValidity(secret: string, body: string, header: string): boolean;
}
