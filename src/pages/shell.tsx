import type { PropsWithChildren } from 'hono/jsx';
import { baseSheet, type Asset } from './assets.ts';

/** What every page says of itself. */
export interface ShellProps {
  /** BCP 47. */
  lang: string;
  title: string;
  /** Besides the base sheet. */
  sheets?: readonly Asset[];
  /** Improve the page; it works without them. */
  scripts?: readonly Asset[];
}

/** The document around a page: head, base sheet, the link that skips to `<main id="main">`. */
export const Shell = ({
  lang,
  title,
  sheets = [],
  scripts = [],
  children,
}: PropsWithChildren<ShellProps>) => (
  <html lang={lang}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      {[baseSheet, ...sheets].map(({ href }) => (
        <link rel="stylesheet" href={href} />
      ))}
      {scripts.map(({ href }) => (
        <script src={href} defer></script>
      ))}
    </head>
    <body>{children}</body>
  </html>
);
