import { splitAddress } from '../../base/page-paths.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns a text for use in HTML and in attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);

/** Returns a text for use between tags, where quotes mean nothing. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);

/**
 * The longest word of code that surely fits a line of a phone, and the longest that fits a cell
 * beside others.
 */
const [phoneWord, cellWord] = [28, 16];

/**
 * Returns words of code as HTML. A short one is not broken at its hyphens, a long path only behind
 * a slash.
 */
export const escapeCode = (code: string): string =>
  code
    .split(' ')
    .map((word) => {
      const { length } = word.replace(/\{\{\w+\}\}/, 'Service');
      if (word.includes('-') && length <= phoneWord) return `<span>${escapeHtml(word)}</span>`;
      return length <= cellWord
        ? escapeHtml(word)
        : splitAddress(word).map(escapeHtml).join('<wbr>');
    })
    .join(' ');

/** Returns the text of HTML that this build produced, without samples and blocks of code. */
export const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<fieldset class="samples">[\s\S]*?<\/fieldset>/g, ' ')
    .replaceAll(/<pre[^>]*>[\s\S]*?<\/pre>|<figcaption>[\s\S]*?<\/figcaption>/g, ' ')
    .replaceAll(/<\/?(?:span|wbr)>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('\u2011', '-')
    .replaceAll(
      /&(amp|lt|gt|quot|#39);/g,
      (entity) => Object.entries(entities).find(([, value]) => value === entity)?.[0] ?? entity,
    )
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,;:)])/g, '$1')
    .trim();

/** Returns the id of a heading. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
