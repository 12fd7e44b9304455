import type { PropsWithChildren } from 'hono/jsx';
import { languageNames, languages, type Language } from '../../base/languages.ts';
import { narrowStyleSheet, type Asset } from '../assets/assets.ts';
import { messagesFor } from '../texts/messages.ts';
import { BrandName, SupportLink, type BrandProps } from './brand-mark.tsx';
import { HtmlDocument } from './html-document.tsx';

/** The props that every page passes on to its layout. */
export interface LayoutProps {
  language: Language;
  brand: BrandProps;
  /**
   * This page in each language; absent for the response to a form, which cannot be requested again.
   */
  languageHrefs?: Record<Language, string> | undefined;
}

interface NarrowLayoutProps extends LayoutProps {
  title: string;
  scripts?: readonly Asset[];
}

/** A page with one narrow column, for sign-in and consent. */
export const NarrowLayout = ({
  language,
  brand,
  languageHrefs,
  title,
  scripts = [],
  children,
}: PropsWithChildren<NarrowLayoutProps>) => {
  const messages = messagesFor(language);
  return (
    <HtmlDocument
      lang={language}
      {...{ title, brand }}
      styleSheets={[narrowStyleSheet]}
      scripts={scripts}
    >
      <a class="skip" href="#main">
        {messages.skip}
      </a>
      <header class="brand">
        <BrandName brand={brand} />
      </header>
      <main class="column narrow" id="main" tabindex={-1}>
        {children}
      </main>
      <footer class="foot">
        <LanguageSwitch {...{ language, languageHrefs }} />
        <SupportLink {...{ brand, messages }} />
      </footer>
    </HtmlDocument>
  );
};

/** Links to this page in the other languages; nothing for the response to a form. */
export const LanguageSwitch = ({
  language,
  languageHrefs,
}: Pick<LayoutProps, 'language' | 'languageHrefs'>) =>
  languageHrefs ? (
    <nav aria-label={messagesFor(language).language}>
      {languages.map((other) =>
        other === language ? (
          <span lang={other} aria-current="true">
            {languageNames[other]}
          </span>
        ) : (
          <a lang={other} hreflang={other} href={languageHrefs[other]}>
            {languageNames[other]}
          </a>
        ),
      )}
    </nav>
  ) : null;
