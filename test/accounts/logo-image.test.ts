import { describe, expect, it } from 'vitest';
import { readLogoImage } from '../../src/accounts/partners/logo-image.ts';
import { jpegFile, pngFile, webpFile } from '../support/images.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const withTail = (bytes: Uint8Array) => Uint8Array.from([...bytes, ...encode('<script>')]);

describe('readLogoImage', () => {
  it.each([
    ['PNG', pngFile(120, 96), 'png'],
    ['baseline JPEG', jpegFile(120, 96), 'jpg'],
    ['progressive JPEG', jpegFile(120, 96, 0xc2), 'jpg'],
    ['lossy WebP', webpFile(120, 96, 'VP8 '), 'webp'],
    ['lossless WebP', webpFile(120, 96, 'VP8L'), 'webp'],
    ['extended WebP', webpFile(120, 96, 'VP8X'), 'webp'],
  ])('reads the size of a %s', (_name, bytes, format) => {
    expect(readLogoImage(bytes)).toEqual({ format, width: 120, height: 96 });
    // A view in the middle of a buffer, too.
    const inside = new Uint8Array([1, 2, 3, ...bytes]).subarray(3);
    expect(readLogoImage(inside)).toEqual({ format, width: 120, height: 96 });
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['SVG', encode('<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"></svg>')],
    ['GIF', encode('GIF89a\u0060\0\u0060\0')],
    ['HTML', encode('<!doctype html><script>alert(1)</script>')],
    ['a PNG that moves', pngFile(96, 96, { before: ['acTL'] })],
    ['a WebP that moves', webpFile(96, 96, 'VP8X', true)],
    ['a PNG with a tail', withTail(pngFile(96, 96))],
    ['a JPEG with a tail', withTail(jpegFile(96, 96))],
    ['a WebP with a tail', withTail(webpFile(96, 96, 'VP8 '))],
    ['a JPEG without a frame', jpegFile(96, 96, 0xc4)],
  ])('refuses %s', (_name, bytes) => {
    expect(readLogoImage(bytes)).toBeUndefined();
  });

  it.each([
    ['PNG', pngFile(96, 96)],
    ['JPEG', jpegFile(96, 96)],
    ['WebP', webpFile(96, 96, 'VP8L')],
  ])('refuses a %s that is cut anywhere, and ends for any byte that is changed', (_name, bytes) => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(readLogoImage(bytes.slice(0, length))).toBeUndefined();
    }
    for (const [at] of bytes.entries()) {
      for (const value of [0, 1, 127, 255]) {
        const changed = Uint8Array.from(bytes);
        changed[at] = value;
        expect(() => readLogoImage(changed)).not.toThrow();
      }
    }
  });
});
