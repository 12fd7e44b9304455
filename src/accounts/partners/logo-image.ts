// Reads the headers of images by hand. Libraries that do so know dozens of formats, SVG among them.
// None of them refuses an image that moves, or what stands behind its end.

/** The formats of a logo, by the ending of its file. SVG is none: it can contain scripts. */
export const logoTypes = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;

type LogoFormat = keyof typeof logoTypes;

interface ImageSize {
  width: number;
  height: number;
}

/** An image with its format. */
export interface LogoImage extends ImageSize {
  format: LogoFormat;
}

/**
 * Returns the format and the size of a still image; `undefined` for anything else, also one that is
 * cut or has a tail.
 */
export function readLogoImage(bytes: Uint8Array): LogoImage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [format, read] of Object.entries(readers)) {
    const size = read(view);
    if (size) return { format: format as LogoFormat, ...size };
  }
  return undefined;
}

/** Whether bytes are these characters; false behind the end. */
const isText = (view: DataView, at: number, text: string) =>
  at >= 0 &&
  at + text.length <= view.byteLength &&
  Array.from(text).every(
    (character, index) => view.getUint8(at + index) === character.charCodeAt(0),
  );

const readers: Readonly<Record<LogoFormat, (view: DataView) => ImageSize | undefined>> = {
  png: readPng,
  jpg: readJpeg,
  webp: readWebp,
};

/**
 * Chunks of a length, a name, the data and a checksum. The first is IHDR, the last IEND; acTL
 * begins an animation.
 */
function readPng(view: DataView): ImageSize | undefined {
  if (!isText(view, 0, '\u0089PNG\r\n\u001a\n') || !isText(view, 12, 'IHDR')) return undefined;
  for (let at = 8; at + 12 <= view.byteLength; at += view.getUint32(at) + 12) {
    if (isText(view, at + 4, 'acTL')) return undefined;
    if (isText(view, at + 4, 'IEND')) {
      const isWhole = at + 12 === view.byteLength;
      return isWhole ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined;
    }
  }
  return undefined;
}

/**
 * Markers with a length, up to the frame (SOF), which has the size. A frame is neither DHT, JPG nor
 * DAC.
 */
function readJpeg(view: DataView): ImageSize | undefined {
  const end = view.byteLength - 2;
  if (!isText(view, 0, '\u00ff\u00d8\u00ff') || !isText(view, end, '\u00ff\u00d9'))
    return undefined;
  for (let at = 2; at + 9 <= end && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // A marker may be filled up with further bytes of ones.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** A RIFF of one of three kinds: lossy, lossless, and extended, which may move. */
function readWebp(view: DataView): ImageSize | undefined {
  const isRiff = isText(view, 0, 'RIFF') && isText(view, 8, 'WEBP') && view.byteLength >= 30;
  if (!isRiff || view.getUint32(4, true) + 8 !== view.byteLength) return undefined;
  if (isText(view, 12, 'VP8 ') && isText(view, 23, '\u009d\u0001\u002a')) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (isText(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  const isStill = isText(view, 12, 'VP8X') && (view.getUint8(20) & 2) === 0;
  const uint24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  return isStill ? { width: uint24(24) + 1, height: uint24(27) + 1 } : undefined;
}
