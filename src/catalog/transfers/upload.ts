import { HttpError, ValidationError } from '../../base/errors.ts';
import { decodeBody } from '../../http/content-coding.ts';
import { isSpace } from './line-reader.ts';

/** How large a file is or may be; blank lines do not count. */
export interface FileSize {
  bytes: number;
  lines: number;
}

/** The largest file that is imported. */
export const maxFile: FileSize = { bytes: 2_147_483_648, lines: 1_000_000 };

/** The size of all parts but the last of an upload to R2, which demands at least that. */
const partBytes = 5_242_880;

const lineFeed = 10;

/** A file of lines that is stored. */
export interface UploadedFile extends FileSize {
  key: string;
}

/** Counts lines that are not blank, in bytes as they come. */
class LineCounter {
  #lines = 0;
  #isBlank = true;

  add(bytes: Uint8Array): void {
    let start = 0;
    while (start < bytes.length) {
      const found = bytes.indexOf(lineFeed, start);
      const end = found === -1 ? bytes.length : found;
      while (this.#isBlank && start < end) this.#isBlank = isSpace(bytes[start++]);
      if (found !== -1) this.#endLine();
      start = end + 1;
    }
  }

  get lines(): number {
    return this.#lines + (this.#isBlank ? 0 : 1);
  }

  #endLine(): void {
    if (!this.#isBlank) this.#lines += 1;
    this.#isBlank = true;
  }
}

/**
 * Stores a body as an object while it arrives, with one part of it in memory, and digests it.
 * Throws a 413 for too many bytes and a `ValidationError` for too many lines or none; then nothing
 * is stored.
 */
export async function storeUpload(
  bucket: Pick<R2Bucket, 'put' | 'createMultipartUpload'>,
  key: string,
  request: Pick<Request, 'body' | 'headers'>,
  max = maxFile,
): Promise<UploadedFile & { digest: Uint8Array }> {
  if (Number(request.headers.get('Content-Length') ?? 0) > max.bytes) throw tooLarge();
  const parts = new PartWriter(bucket, key);
  const counter = new LineCounter();
  const digest = new crypto.DigestStream('SHA-256');
  const hash = digest.getWriter();
  let bytes = 0;
  try {
    const body = decodeBody(request, max.bytes);
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || !value) break;
      bytes += value.length;
      counter.add(value);
      if (bytes > max.bytes || counter.lines > max.lines) await reader?.cancel();
      if (bytes > max.bytes) throw tooLarge();
      if (counter.lines > max.lines)
        throw invalid(`Must have at most ${max.lines.toLocaleString('en')} lines.`);
      await hash.write(value);
      await parts.write(value);
    }
    if (counter.lines === 0) throw invalid('Must have at least one line.');
    await hash.close();
    await parts.close();
    return { key, bytes, lines: counter.lines, digest: new Uint8Array(await digest.digest) };
  } catch (error) {
    await parts.abort();
    throw error;
  }
}

const tooLarge = () => new HttpError('body_too_large', { hint: 'Send at most 2 GiB at once.' });

const invalid = (message: string) => new ValidationError({ body: [message] });

/** Writes an object: a small one at once, a larger one in parts. */
class PartWriter {
  readonly #bucket: Pick<R2Bucket, 'put' | 'createMultipartUpload'>;
  readonly #key: string;
  readonly #buffer = new ArrayBuffer(0, { maxByteLength: partBytes });
  readonly #uploaded: R2UploadedPart[] = [];
  #upload: R2MultipartUpload | undefined;

  constructor(bucket: Pick<R2Bucket, 'put' | 'createMultipartUpload'>, key: string) {
    this.#bucket = bucket;
    this.#key = key;
  }

  async write(bytes: Uint8Array): Promise<void> {
    let left = bytes;
    while (left.length > 0) {
      if (this.#buffer.byteLength === partBytes) await this.#flush();
      const length = this.#buffer.byteLength;
      const taken = left.subarray(0, partBytes - length);
      this.#buffer.resize(length + taken.length);
      new Uint8Array(this.#buffer, length).set(taken);
      left = left.subarray(taken.length);
    }
  }

  async close(): Promise<void> {
    if (!this.#upload) {
      await this.#bucket.put(this.#key, this.#buffer.slice());
      return;
    }
    await this.#flush();
    await this.#upload.complete(this.#uploaded);
  }

  /**
   * Deletes the parts. A failure does no harm: the bucket deletes uploads that are not completed.
   */
  async abort(): Promise<void> {
    await this.#upload?.abort().catch(() => undefined);
  }

  async #flush(): Promise<void> {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.#key);
    const part = this.#buffer.slice();
    this.#uploaded.push(await this.#upload.uploadPart(this.#uploaded.length + 1, part));
    this.#buffer.resize(0);
  }
}
