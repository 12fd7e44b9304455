import { describe, expect, it } from 'vitest';
import { computeContrast, isPlainSvg, parseAccent } from '../../src/base/brand.ts';
import { brandStyle } from '../../src/docs/serve-assets.ts';

describe('parseAccent', () => {
  it('finds a colour for dark mode, and the colour of the text on both', () => {
    const accent = parseAccent('#0b57d0');
    if ('problem' in accent) throw new Error(accent.problem);
    expect(accent).toMatchObject({ light: '#0b57d0', onLight: '#ffffff', onDark: '#000000' });
    for (const surface of ['#14171a', '#1e2227'])
      expect(computeContrast(accent.dark, surface)).toBeGreaterThanOrEqual(4.5);
    expect(brandStyle(accent)).toContain('--accent: #0b57d0; --on-accent: #ffffff;');
  });

  it('takes a second colour for dark mode', () => {
    expect(parseAccent('#0b57d0 #8ab4f8')).toMatchObject({ dark: '#8ab4f8' });
  });

  it.each([
    ['#ffcc00', 'light'],
    ['#0b57d0 #0b57d0', 'dark'],
  ])('refuses %s, which is hard to read in %s mode', (text, mode) => {
    expect(parseAccent(text)).toMatchObject({
      problem: expect.stringContaining(`in ${mode} mode`),
    });
  });

  it.each(['blue', '#fff', '#0b57d0 #8ab4f8 #000000', '#0b57d0;}'])('refuses "%s"', (text) => {
    expect(parseAccent(text)).toMatchObject({ problem: expect.stringContaining('such as') });
  });

  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
  ])('computes the contrast of %s on %s as %d', (one, other, contrast) => {
    expect(computeContrast(one, other)).toBeCloseTo(contrast, 2);
  });
});

describe('isPlainSvg', () => {
  it('admits an image and refuses what runs or loads something', () => {
    expect(isPlainSvg('<svg viewBox="0 0 1 1"><path d="M0 0h1v1z" fill="url(#a)"/></svg>')).toBe(
      true,
    );
    for (const content of [
      '<script>1</script>',
      '<a href="https://x.example">x</a>',
      '<image href="https://x.example/a.png"/>',
      '<rect onload = "x()"/>',
      '<foreignObject/>',
      '<style>@font-face{src:url(https://x.example)}</style>',
    ])
      expect([content, isPlainSvg(`<svg>${content}</svg>`)]).toEqual([content, false]);
    expect(isPlainSvg('hello')).toBe(false);
  });
});
