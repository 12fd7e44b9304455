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

/** Returns the text of HTML that this build produced, without samples and blocks of code. */
export const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<fieldset class="samples">[\s\S]*?<\/fieldset>/g, ' ')
    .replaceAll(/<pre[^>]*>[\s\S]*?<\/pre>|<figcaption>[\s\S]*?<\/figcaption>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
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
