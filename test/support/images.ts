// The headers and ends of images, which is all that the service reads of them.

const bytesOf = (...parts: readonly (string | readonly number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? Array.from(part, (character) => character.charCodeAt(0)) : part,
    ),
  );

const uint32 = (value: number) => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];
const uint16 = (value: number) => uint32(value).slice(2);
const little = (value: number, bytes: number) => uint32(value).toReversed().slice(0, bytes);
const zeros = (count: number) => Array.from({ length: count }, () => 0);

const chunk = (name: string, data: readonly number[]) => [
  ...uint32(data.length),
  ...bytesOf(name),
  ...data,
  ...zeros(4),
];

/** A PNG of this size; `filling` bytes of data, and chunks before them. */
export const pngFile = (
  width: number,
  height: number,
  { filling = 10, before = [] as string[] } = {},
) =>
  bytesOf(
    '\u0089PNG\r\n\u001a\n',
    chunk('IHDR', [...uint32(width), ...uint32(height), 8, 6, 0, 0, 0]),
    ...before.map((name) => chunk(name, zeros(8))),
    chunk('IDAT', zeros(filling)),
    chunk('IEND', []),
  );

/** A JPEG of this size, baseline or progressive, with a table before its frame. */
export const jpegFile = (width: number, height: number, frame = 0xc0) =>
  bytesOf(
    [0xff, 0xd8, 0xff, 0xe0, ...uint16(16)],
    'JFIF\0',
    zeros(9),
    [0xff, 0xc4, ...uint16(4), 0, 0, 0xff],
    [0xff, frame, ...uint16(11), 8, ...uint16(height), ...uint16(width), 1, 0, 0, 0],
    [0xff, 0xd9],
  );

/** A WebP of this size: lossy, lossless or extended, which may move. */
export function webpFile(
  width: number,
  height: number,
  kind: 'VP8 ' | 'VP8L' | 'VP8X',
  isMoving = false,
) {
  const bodies = {
    'VP8 ': [0, 0, 0, 0x9d, 1, 0x2a, ...little(width, 2), ...little(height, 2)],
    VP8L: [0x2f, ...little(width - 1 + (height - 1) * 16_384, 4), ...zeros(5)],
    VP8X: [isMoving ? 2 : 0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)],
  };
  const content = bytesOf('WEBP', kind, little(bodies[kind].length, 4), bodies[kind]);
  return bytesOf('RIFF', little(content.length, 4), [...content]);
}
