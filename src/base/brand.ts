/** A colour of the brand, for light and for dark mode, with the colours of text on it. */
export interface Accent {
  light: string;
  onLight: string;
  dark: string;
  onDark: string;
}

/** How a deployment calls itself and looks. */
export interface Brand {
  name: string;
  /** `undefined`: the colours of the style sheet. */
  accent: Accent | undefined;
  /** SVG */
  logo: string | undefined;
  /** SVG */
  favicon: string | undefined;
  /** The address that users write to for help. */
  supportAddress: string | undefined;
}

/** Contrast of text that WCAG 2.2 asks for (1.4.3). */
const minContrast = 4.5;

/** The surfaces that the accent is read on; `web/assets/base-style.ts` defines them. */
const surfaces = { light: ['#ffffff', '#f5f6f8'], dark: ['#14171a', '#1e2227'] } as const;

/** How much of the way to white one step takes. */
const mixingStep = 0.05;

/**
 * Parses `#rrggbb` for light mode, or two of them for light and dark mode. One alone is mixed with
 * white for dark mode. Returns a message for colours that are hard to read.
 */
export function parseAccent(text: string): Accent | { problem: string } {
  const [light = '', dark = findDarkAccent(light), ...others] = text.trim().split(/\s+/);
  if (others.length > 0 || ![light, dark].every((color) => /^#[\da-f]{6}$/i.test(color)))
    return { problem: 'Must be one or two colours such as #0b57d0.' };
  for (const [mode, color] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const contrast = leastContrast(color, surfaces[mode]);
    if (contrast < minContrast) {
      const shown = contrast.toFixed(2);
      return { problem: `${color} has a contrast of ${shown} in ${mode} mode; 4.5 is needed.` };
    }
  }
  return { light, onLight: textOn(light), dark, onDark: textOn(dark) };
}

const findDarkAccent = (light: string): string => {
  const mixed = Array.from({ length: 1 / mixingStep }, (_, step) => mix(light, step * mixingStep));
  return mixed.find((color) => leastContrast(color, surfaces.dark) >= minContrast) ?? '#ffffff';
};

const textOn = (color: string): string =>
  computeContrast(color, '#ffffff') >= minContrast ? '#ffffff' : '#000000';

const leastContrast = (color: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => computeContrast(color, other)));

/** The contrast of two colours (WCAG 2.2, "contrast ratio"). */
export function computeContrast(first: string, second: string): number {
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

const mix = (color: string, white: number): string =>
  `#${channelsOf(color)
    .map((channel) => Math.round(channel + (255 - channel) * white))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`;

/** Whether a text is one SVG image that loads nothing and runs nothing. */
export const isPlainSvg = (text: string): boolean =>
  /^<svg[\s>][^]*<\/svg>\s*$/i.test(text.trim()) &&
  !/<script|<foreignobject|\son\w+\s*=|javascript:|(?:href|src)\s*=\s*["'](?!#)|url\((?!["']?#)/i.test(
    text,
  );
