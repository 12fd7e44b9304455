import type { PropsWithChildren } from 'hono/jsx';
import { panelSheet, type Asset } from './assets.ts';
import type { FrameProps } from './frame.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Shell } from './shell.tsx';
import { wordsOf } from './words/words-of.ts';

/** What every page of the account and of the partner panel is given. */
export interface PanelProps {
  frame: FrameProps;
  /** The navigation; its first place is the start. */
  places: readonly { href: string; text: string; isCurrent: boolean }[];
}

/** A page in one wide column below a bar with the navigation. */
export const Panel = ({
  frame,
  places,
  title,
  scripts = [],
  children,
}: PropsWithChildren<PanelProps & { title: string; scripts?: readonly Asset[] }>) => {
  const { language, serviceName } = frame;
  const words = wordsOf(language);
  return (
    <Shell
      lang={language}
      title={`${title} · ${serviceName}`}
      sheets={[panelSheet]}
      scripts={scripts}
    >
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="bar">
        <span>{serviceName}</span>
        <nav aria-label={words.account.places.label}>
          {places.map(({ href, text, isCurrent }) => (
            <a href={href} aria-current={isCurrent ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
      </header>
      <main class="column" id="main" tabindex={-1}>
        {children}
      </main>
      <footer class="foot">
        <LanguageSwitch {...frame} />
      </footer>
    </Shell>
  );
};
