import { Marked, type Tokens } from 'marked';
import { joinHyphens } from '../../web/texts/messages.ts';
import { escapeCode, escapeHtml, slugOf, textOfHtml } from './escape.ts';
import { highlight } from './highlight.ts';

/** A heading of the second or third level. */
export interface Heading {
  id: string;
  text: string;
  level: number;
}

export interface RenderedMarkdown {
  html: string;
  headings: Heading[];
}

/** The context of a text: it resolves its links and the comments for generated content. */
export interface MarkdownSource {
  /** Returns the address of a link, or throws if there is nothing. */
  resolveLink: (href: string) => string;
  /** Returns the HTML that a comment such as `table: scopes` stands for. */
  renderInsert: (kind: string, name: string) => string;
}

/** A line that stands for generated content. */
export const insertLine = /^<!-- (table|sample): ([a-z-]+) -->$/;

/** Returns a block of code with a caption. `language` chooses the colours. */
export const renderCode = (
  code: string,
  language: string,
  caption: string,
  attributes = '',
): string =>
  `<figure class="code"${attributes}><figcaption><span>${escapeHtml(caption)}</span></figcaption>` +
  `<pre tabindex="0"><code>${highlight(code.trimEnd(), language)}</code></pre></figure>`;

const captions: Record<string, string> = {
  bash: 'Shell',
  go: 'Go',
  http: 'HTTP',
  json: 'JSON',
  php: 'PHP',
  python: 'Python',
  ruby: 'Ruby',
  text: 'Text',
  ts: 'TypeScript',
  typescript: 'TypeScript',
};

/**
 * Renders GitHub Markdown without raw HTML. Throws for HTML, and for a link or insert that leads
 * nowhere.
 */
export function renderMarkdown(text: string, source: MarkdownSource): RenderedMarkdown {
  const headings: Heading[] = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const [, content = '', givenId] =
          /^([\s\S]*?)(?:\s*\{#([\w.-]+)\})?$/.exec(this.parser.parseInline(tokens)) ?? [];
        const plain = textOfHtml(content);
        const id = givenId ?? slugOf(plain);
        if (depth === 1) return `<h1>${content}</h1>\n`;
        headings.push({ id, text: plain, level: depth });
        const label = escapeHtml(plain);
        return `<h${depth} id="${id}">${content} <a class="anchor" href="#${id}" aria-label="# ${label}">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const address = source.resolveLink(href);
        return `<a href="${escapeHtml(address)}">${this.parser.parseInline(tokens)}</a>`;
      },
      codespan({ text: code }: Tokens.Codespan) {
        return `<code>${escapeCode(code)}</code>`;
      },
      text(token: Tokens.Text | Tokens.Escape) {
        if ('tokens' in token && token.tokens) return this.parser.parseInline(token.tokens);
        return joinHyphens(
          'escaped' in token && token.escaped ? token.text : escapeHtml(token.text),
        );
      },
      code({ text: code, lang = '' }: Tokens.Code) {
        const [language = 'text', ...words] = lang.split(' ');
        return renderCode(code, language, words.join(' ') || (captions[language] ?? language));
      },
      blockquote({ tokens }: Tokens.Blockquote) {
        return `<div class="notice">${this.parser.parse(tokens)}</div>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const inline = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens);
        return renderTable({
          head: header.map(inline),
          rows: rows.map((cells) => ({ cells: cells.map(inline) })),
        });
      },
      image({ href }: Tokens.Image) {
        throw new Error(`images are not supported: ${href}`);
      },
      html({ text: html }: Tokens.HTML | Tokens.Tag) {
        const [, kind, name] = insertLine.exec(html.trim()) ?? [];
        if (kind === undefined || name === undefined) throw new Error(`raw HTML: ${html.trim()}`);
        return source.renderInsert(kind, name);
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { html, headings };
}

/** A table whose cells are HTML. */
export interface HtmlTable {
  head: string[];
  rows: { id?: string | undefined; cells: string[] }[];
}

/** Returns a table that becomes a list of cards on a phone. */
export function renderTable({ head, rows }: HtmlTable): string {
  const labels = head.map((cell) => escapeHtml(textOfHtml(cell)));
  const renderRow = ({ id, cells: [first = '', ...others] }: HtmlTable['rows'][number]) =>
    `<tr${id === undefined ? '' : ` id="${id}"`}><th scope="row">${first}</th>${others
      .map((cell, index) => `<td data-label="${labels[index + 1]}">${cell}</td>`)
      .join('')}</tr>`;
  return (
    `<table><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>` +
    `<tbody>${rows.map(renderRow).join('')}</tbody></table>\n`
  );
}
