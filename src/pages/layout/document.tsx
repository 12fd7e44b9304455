import type { PropsWithChildren } from 'hono/jsx';
import { baseStyleSheet, type Asset } from '../assets/assets.ts';

interface HtmlDocumentProps {
  /** BCP 47. */
  lang: string;
  title: string;
  /** In addition to the base style sheet. */
  styleSheets?: readonly Asset[];
  /** Every page also works without scripts. */
  scripts?: readonly Asset[];
}

/** The HTML document of a page. */
export const HtmlDocument = ({
  lang,
  title,
  styleSheets = [],
  scripts = [],
  children,
}: PropsWithChildren<HtmlDocumentProps>) => (
  <html lang={lang}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      {[baseStyleSheet, ...styleSheets].map(({ href }) => (
        <link rel="stylesheet" href={href} />
      ))}
      {scripts.map(({ href }) => (
        <script src={href} defer></script>
      ))}
    </head>
    <body>{children}</body>
  </html>
);
