import type { PropsWithChildren } from 'hono/jsx';
import { dashboardStyleSheet, type Asset } from '../assets/assets.ts';
import { messagesFor } from '../texts/messages.ts';
import { BrandName, SupportLink } from './brand-mark.tsx';
import { HtmlDocument } from './html-document.tsx';
import { LanguageSwitch, type LayoutProps } from './narrow-layout.tsx';

export interface NavigationLink {
  href: string;
  text: string;
  isCurrent: boolean;
}

/** The props that every account and partner page passes on to its layout. */
export interface DashboardProps {
  layout: LayoutProps;
  navigation: readonly NavigationLink[];
  /** The pages of the store that the page is about. */
  storeNavigation?: readonly NavigationLink[];
  /** Names those pages, if they are not of a store. */
  tabsLabel?: string;
}

/**
 * A page with a bar, the navigation and one wide column. On a narrow screen the navigation is a popover, which needs no
 * script; a browser without popovers shows it below the bar.
 */
export const DashboardLayout = ({
  layout,
  navigation,
  storeNavigation,
  tabsLabel,
  title,
  scripts = [],
  children,
}: PropsWithChildren<DashboardProps & { title: string; scripts?: readonly Asset[] }>) => {
  const { language, brand } = layout;
  const messages = messagesFor(language);
  const t = messages.navigation;
  return (
    <HtmlDocument
      lang={language}
      {...{ title, brand, scripts }}
      styleSheets={[dashboardStyleSheet]}
    >
      <a class="skip" href="#main">
        {messages.skip}
      </a>
      <header class="top">
        <div class="bar">
          <a href={brand.homeHref}>
            <BrandName brand={brand} />
          </a>
          <button type="button" class="plain menu-button" popovertarget="menu">
            {t.menu}
          </button>
        </div>
        <nav class="menu" id="menu" popover="auto" aria-label={t.label}>
          <NavigationLinks links={navigation} />
        </nav>
      </header>
      {storeNavigation && (
        <nav class="tabs" aria-label={tabsLabel ?? t.storeLabel}>
          <NavigationLinks links={storeNavigation} />
        </nav>
      )}
      <main class="column" id="main" tabindex={-1}>
        {children}
      </main>
      <footer class="foot">
        <LanguageSwitch {...layout} />
        <SupportLink {...{ brand, messages }} />
      </footer>
    </HtmlDocument>
  );
};

const NavigationLinks = ({ links }: { links: readonly NavigationLink[] }) => (
  <>
    {links.map(({ href, text, isCurrent }) => (
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </>
);
