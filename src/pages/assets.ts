import { copyScript } from './copy-script.ts';
import { docsStyle } from './docs-style.ts';
import { fingerprint } from './fingerprint.ts';
import { flowStyle } from './flow-style.ts';
import { panelStyle } from './panel-style.ts';
import { settleScript } from './settle-script.ts';
import { style } from './style.ts';

/** A file that pages refer to; its address changes with its text, so that it can be kept for a year. */
export interface Asset {
  /** What stands before the fingerprint in the address. */
  name: string;
  extension: 'css' | 'js';
  text: string;
  readonly href: string;
}

function asset(name: string, extension: Asset['extension'], text: string): Asset {
  let href: string | undefined;
  return {
    name,
    extension,
    text,
    // Made when a page first asks: most isolates never show one.
    get href() {
      return (href ??= `/assets/${name}.${fingerprint(text)}.${extension}`);
    },
  };
}

/** Tokens and base elements, for all pages. */
export const baseSheet = asset('base', 'css', style);

/** What only the API reference needs. */
export const docsSheet = asset('docs', 'css', docsStyle);

/** Adds copy buttons; pages work without it. */
export const copyButtons = asset('copy', 'js', copyScript);

/** What the pages of one narrow column need. */
export const flowSheet = asset('flow', 'css', flowStyle);

/** What the account pages and the partner panel need. */
export const panelSheet = asset('panel', 'css', panelStyle);

/** Drops clicks on Approve that come too soon. */
export const settleClicks = asset('settle', 'js', settleScript);

export const assets: readonly Asset[] = [
  baseSheet,
  docsSheet,
  flowSheet,
  panelSheet,
  copyButtons,
  settleClicks,
];
