import type { PropsWithChildren } from 'hono/jsx';
import { dashboardStyleSheet, type Asset } from '../assets/assets.ts';
import { messagesFor } from '../i18n/messages.ts';
import { HtmlDocument } from './document.tsx';
import { LanguageSwitch, type LayoutProps } from './narrow-layout.tsx';

/** The props that every account and partner page passes on to its layout. */
export interface DashboardProps {
  layout: LayoutProps;
  navigation: readonly { href: string; text: string; isCurrent: boolean }[];
}

/** A page with a bar, the navigation and one wide column. */
export const DashboardLayout = ({
  layout,
  navigation,
  title,
  scripts = [],
  children,
}: PropsWithChildren<DashboardProps & { title: string; scripts?: readonly Asset[] }>) => {
  const { language, serviceName } = layout;
  const messages = messagesFor(language);
  return (
    <HtmlDocument
      lang={language}
      title={`${title} · ${serviceName}`}
      styleSheets={[dashboardStyleSheet]}
      scripts={scripts}
    >
      <a class="skip" href="#main">
        {messages.skip}
      </a>
      <header class="bar">
        <span>{serviceName}</span>
        <nav aria-label={messages.account.navigation.label}>
          {navigation.map(({ href, text, isCurrent }) => (
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
        <LanguageSwitch {...layout} />
      </footer>
    </HtmlDocument>
  );
};
