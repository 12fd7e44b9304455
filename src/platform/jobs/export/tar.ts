/** The size of a block: a header has it, and files are padded to a multiple of it. */
const blockBytes = 512;

const encoder = new TextEncoder();

/** The header of a file in a tar archive (POSIX ustar). `name` has at most 100 ASCII characters; `at` is in epoch milliseconds. */
export function tarHeader(name: string, bytes: number, at: number): Uint8Array {
  const header = new Uint8Array(blockBytes);
  const write = (offset: number, text: string) => header.set(encoder.encode(text), offset);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  write(0, name);
  write(100, `${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`);
  write(124, `${octal(bytes, 11)}\0${octal(Math.floor(at / 1000), 11)}\0`);
  // The checksum is computed with blanks in its place.
  write(148, ' '.repeat(8));
  write(156, '0');
  write(257, 'ustar');
  write(263, '00');
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(148, `${octal(sum, 6)}\0 `);
  return header;
}

/** The padding of a file up to the next block. */
export const tarPadding = (bytes: number) =>
  new Uint8Array((blockBytes - (bytes % blockBytes)) % blockBytes);

/** The end of an archive. */
export const tarEnd = () => new Uint8Array(2 * blockBytes);
