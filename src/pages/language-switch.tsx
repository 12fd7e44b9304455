import type { FrameProps } from './frame.tsx';
import { languageNames, languages } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

/** Links to this page in the other languages; nothing for the answer to a form. */
export const LanguageSwitch = ({ language, hrefs }: FrameProps) =>
  hrefs ? (
    <nav aria-label={wordsOf(language).language}>
      {languages.map((one) =>
        one === language ? (
          <span lang={one} aria-current="true">
            {languageNames[one]}
          </span>
        ) : (
          <a lang={one} hreflang={one} href={hrefs[one]}>
            {languageNames[one]}
          </a>
        ),
      )}
    </nav>
  ) : null;
