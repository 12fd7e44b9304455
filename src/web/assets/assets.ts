import { baseStyle } from './base-style.ts';
import { dashboardStyle, narrowStyle } from './layout-styles.ts';
import { clickGuardSource, copyButtonSource, passkeySource } from './scripts.ts';

/**
 * A style sheet or script. Its address changes with its text, so that it can be cached for a year.
 */
export interface Asset {
  /** The part of the address before the fingerprint. */
  name: string;
  extension: 'css' | 'js';
  text: string;
  readonly href: string;
}

function createAsset(name: string, extension: Asset['extension'], text: string): Asset {
  let href: string | undefined;
  return {
    name,
    extension,
    text,
    // Computed on first use: most isolates never render a page.
    get href() {
      return (href ??= `/assets/${name}.${fingerprint(text)}.${extension}`);
    },
  };
}

/** The style of all pages. */
export const baseStyleSheet = createAsset('base', 'css', baseStyle);

/** Adds copy buttons to blocks of code. */
export const copyButtonScript = createAsset('copy', 'js', copyButtonSource);

/** The style of the pages with a narrow column. */
export const narrowStyleSheet = createAsset('flow', 'css', narrowStyle);

/** The style of the account and partner pages. */
export const dashboardStyleSheet = createAsset('panel', 'css', dashboardStyle);

/** Ignores clicks on Approve that come too soon (clickjacking). */
export const clickGuardScript = createAsset('settle', 'js', clickGuardSource);

/** Makes and uses passkeys, for which a browser has no element. */
export const passkeyScript = createAsset('passkey', 'js', passkeySource);

export const assets: readonly Asset[] = [
  baseStyleSheet,
  narrowStyleSheet,
  dashboardStyleSheet,
  copyButtonScript,
  clickGuardScript,
  passkeyScript,
];

/** Returns a short hash of a text (cyrb53, 14 hexadecimal digits). Not for secrets. */
export function fingerprint(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
