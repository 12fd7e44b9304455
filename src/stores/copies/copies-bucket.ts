import { AwsClient } from 'aws4fetch';
import { type Settings, settingsOf } from '../../base/settings.ts';

/** A request to the bucket takes no longer. */
const timeLimitMs = 30_000;

/**
 * The bucket did not do what it was asked for. The message names the request and the status, never
 * a key.
 */
class CopiesUnavailable extends Error {}

/** The SHA-256 of bytes in hexadecimal digits, as the S3 API and manifests have it. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A bucket of another account, by the S3 API. Each method is one request. */
export class CopiesBucket {
  readonly #client: AwsClient;
  readonly #url: string;
  /** How long a copy stays after a later one has replaced it, in milliseconds. */
  readonly keptMs: number;

  constructor({ url, region, accessId, secret, keptMs }: NonNullable<Settings['copies']>) {
    const keys = { accessKeyId: accessId, secretAccessKey: secret };
    this.#client = new AwsClient({ ...keys, service: 's3', region, retries: 2 });
    this.#url = url;
    this.keptMs = keptMs;
  }

  async #ask(method: string, path: string, body?: Uint8Array): Promise<Response> {
    const response = await this.#client.fetch(`${this.#url}${path}`, {
      method,
      headers: { 'X-Amz-Content-Sha256': await hashOf(body ?? new Uint8Array()) },
      ...(body && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimitMs),
    });
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new CopiesUnavailable(`${method}: ${response.status}`);
  }

  /**
   * Stores an object. Its digest is signed, so the bucket refuses bytes that were changed on the
   * way.
   */
  async put(key: string, content: Uint8Array): Promise<void> {
    const response = await this.#ask('PUT', `/${key}`, content);
    await response.body?.cancel();
    if (!response.ok) throw new CopiesUnavailable(`PUT: ${response.status}`);
  }

  /** Reads an object; `undefined` if there is none. */
  async get(key: string): Promise<Uint8Array | undefined> {
    const response = await this.#ask('GET', `/${key}`);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    await response.body?.cancel();
    return undefined;
  }

  /** Lists up to 1,000 keys that begin so. */
  async list(prefix: string): Promise<string[]> {
    const response = await this.#ask('GET', `?list-type=2&prefix=${encodeURIComponent(prefix)}`);
    const text = await response.text();
    if (!response.ok) throw new CopiesUnavailable(`GET: ${response.status}`);
    // Our keys have no character that XML writes otherwise.
    return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].flatMap(([, key]) => key ?? []);
  }

  /** Deletes an object; does nothing if there is none. */
  async delete(key: string): Promise<void> {
    const response = await this.#ask('DELETE', `/${key}`);
    await response.body?.cancel();
  }
}

/** Opens the bucket of the settings; `undefined` if there is none. */
export function openCopies(env: Env): CopiesBucket | undefined {
  const { copies } = settingsOf(env);
  return copies && new CopiesBucket(copies);
}
