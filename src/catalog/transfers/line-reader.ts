/** A line of a file. */
export interface FileLine {
  /** Counts from 1, with blank lines. */
  number: number;
  /** The bytes without the line feed; `undefined` for a line that is too long. */
  content: Uint8Array | undefined;
  /** The byte behind the line and its line feed. */
  end: number;
}

/** An error of a line, or of a row of a table. */
export interface CellError {
  line: number;
  field: string;
  /** The value of the field, or its beginning; null where it has none. */
  sent: string | null;
  message: string;
}

/** An error with the first and the last line of the record that was not imported. */
export interface LineError extends CellError {
  from_line: number;
  to_line: number;
}

/** The largest line in bytes, as of any other body. */
const maxLineBytes = 1_048_576;

/** Bytes that one request to the bucket reads. */
const windowBytes = 524_288;

const lineFeed = 10;

/** The object of an upload is not there. */
export class FileLost extends Error {}

/** Whether a byte is white space of JSON. */
export const isSpace = (byte: number | undefined) =>
  byte === 32 || byte === 9 || byte === lineFeed || byte === 13;

/**
 * Reads the lines of an object in order, with at most 2 MiB of lines and one window of it in
 * memory.
 */
export class LineReader {
  readonly #bucket: Pick<R2Bucket, 'get'>;
  readonly #key: string;
  readonly #size: number;
  #start = 0;
  #window = new Uint8Array();

  constructor(bucket: Pick<R2Bucket, 'get'>, key: string, size: number) {
    this.#bucket = bucket;
    this.#key = key;
    this.#size = size;
  }

  /**
   * Reads lines from a byte on, where the line `number` begins: at most `limit`, blank ones not
   * counted nor returned. Ends behind the line that fills 1 MiB, so that many long lines are not in
   * memory together.
   */
  async read(position: number, number: number, limit: number): Promise<FileLine[]> {
    const lines: FileLine[] = [];
    let at = position;
    let next = number;
    const hasRoom = () => lines.length === 0 || at - position < maxLineBytes;
    while (lines.length < limit && at < this.#size && hasRoom()) {
      const line = await this.#readLine(at, next);
      if (!line.content || !line.content.every(isSpace)) lines.push(line);
      at = line.end;
      next += 1;
    }
    return lines;
  }

  async #readLine(start: number, number: number): Promise<FileLine> {
    this.#moveTo(start);
    let searched = 0;
    for (;;) {
      const length = this.#window.indexOf(lineFeed, searched);
      const isLast = length === -1 && this.#end === this.#size;
      if (length !== -1 || isLast) {
        const content = isLast ? this.#window : this.#window.subarray(0, length);
        const end = Math.min(start + content.length + 1, this.#size);
        return { number, content: content.length > maxLineBytes ? undefined : content, end };
      }
      if (this.#window.length > maxLineBytes) this.#moveTo(this.#end);
      searched = this.#window.length;
      await this.#extend();
      if (searched === 0 && this.#start > start) return this.#skipLine(number);
    }
  }

  /** Finds the end of a line that is too long, without keeping it. */
  async #skipLine(number: number): Promise<FileLine> {
    for (;;) {
      const length = this.#window.indexOf(lineFeed);
      if (length !== -1) return { number, content: undefined, end: this.#start + length + 1 };
      if (this.#end === this.#size) return { number, content: undefined, end: this.#size };
      this.#moveTo(this.#end);
      await this.#extend();
    }
  }

  /** Drops the bytes of the window before a byte. */
  #moveTo(start: number): void {
    const isInside = start >= this.#start && start <= this.#end;
    this.#window = isInside ? this.#window.subarray(start - this.#start) : new Uint8Array();
    this.#start = start;
  }

  /** Reads on behind the window. */
  async #extend(): Promise<void> {
    const range = { offset: this.#end, length: Math.min(windowBytes, this.#size - this.#end) };
    const object = await this.#bucket.get(this.#key, { range });
    if (!object) throw new FileLost();
    const read = new Uint8Array(await object.arrayBuffer());
    const joined = new Uint8Array(this.#window.length + read.length);
    joined.set(this.#window);
    joined.set(read, this.#window.length);
    this.#window = joined;
  }

  get #end(): number {
    return this.#start + this.#window.length;
  }
}
