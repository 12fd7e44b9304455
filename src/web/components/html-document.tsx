import type { PropsWithChildren } from 'hono/jsx';
import { baseStyleSheet, type Asset } from '../assets/assets.ts';
import type { BrandProps } from './brand-mark.tsx';

interface HtmlDocumentProps {
  /** BCP 47. */
  lang: string;
  title: string;
  brand: BrandProps;
  /** In addition to the base style sheet. */
  styleSheets?: readonly Asset[];
  /** Every page also works without scripts. */
  scripts?: readonly Asset[];
}

/** The HTML document of a page. */
export const HtmlDocument = ({
  lang,
  title,
  brand,
  styleSheets = [],
  scripts = [],
  children,
}: PropsWithChildren<HtmlDocumentProps>) => (
  <html lang={lang}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · ${brand.name}`}</title>
      <link rel="icon" href={brand.iconHref ?? 'data:,'} />
      {[baseStyleSheet, ...styleSheets].map(({ href }) => (
        <link rel="stylesheet" href={href} />
      ))}
      {brand.styleHref !== undefined && <link rel="stylesheet" href={brand.styleHref} />}
      {scripts.map(({ href }) => (
        <script src={href} defer></script>
      ))}
    </head>
    <body>{children}</body>
  </html>
);
