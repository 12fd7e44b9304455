import { renderMarkdown } from '../build/render-markdown.ts';

/**
 * Returns a description of the OpenAPI document (CommonMark) as HTML. Its links have whole
 * addresses.
 */
export const renderText = (text: string): string =>
  text === ''
    ? ''
    : renderMarkdown(text, {
        resolveLink: (href) => href,
        renderInsert: (kind, name) => {
          throw new Error(`a description contains ${kind}: ${name}`);
        },
      }).html;
