import type { PropsWithChildren } from 'hono/jsx';
import { flowSheet, type Asset } from './assets.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { Shell } from './shell.tsx';
import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

/** What every page in one narrow column is given. */
export interface FrameProps {
  language: Language;
  serviceName: string;
  /** This page in each language; none for the answer to a form, which cannot be asked for again. */
  hrefs?: Record<Language, string> | undefined;
}

interface Props extends FrameProps {
  title: string;
  scripts?: readonly Asset[];
}

/** A page of one narrow column: the service's name, the content, the switch of languages. */
export const Frame = ({
  language,
  serviceName,
  hrefs,
  title,
  scripts = [],
  children,
}: PropsWithChildren<Props>) => {
  const words = wordsOf(language);
  return (
    <Shell
      lang={language}
      title={`${title} · ${serviceName}`}
      sheets={[flowSheet]}
      scripts={scripts}
    >
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="brand">{serviceName}</header>
      <main class="column narrow" id="main" tabindex={-1}>
        {children}
      </main>
      <footer class="foot">
        <LanguageSwitch {...{ language, serviceName, hrefs }} />
      </footer>
    </Shell>
  );
};
