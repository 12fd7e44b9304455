import { renderMarkdown, renderTable, type MarkdownSource } from './render-markdown.ts';

/** A generated table of a guide. Its cells are Markdown. */
export interface Table {
  head: readonly string[];
  rows: readonly { id?: string; cells: readonly string[] }[];
}

/** Returns the table as HTML. Rows with an id can be linked to. */
export function tableAsHtml({ head, rows }: Table, source: MarkdownSource): string {
  const render = (cell: string) =>
    renderMarkdown(cell, source)
      .html.trim()
      .replace(/^<p>([\s\S]*)<\/p>$/, '$1');
  return renderTable({
    head: head.map(render),
    rows: rows.map(({ id, cells }) => ({ id, cells: cells.map(render) })),
  });
}

/** Returns the table as GitHub Markdown. */
export function tableAsMarkdown({ head, rows }: Table): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('\n', ' ').replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(({ cells }) => row(cells))].join('\n');
}
