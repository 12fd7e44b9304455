import type { PropsWithChildren } from 'hono/jsx';
import { readableAddress } from '../../base/hosts.ts';
import { dashboardStyleSheet, type Asset } from '../assets/assets.ts';
import { messagesFor } from '../texts/messages.ts';
import { BrandName, SupportLink } from './brand-mark.tsx';
import { FormTokenInput } from './form-fields.tsx';
import { HtmlDocument } from './html-document.tsx';
import { LanguageSwitch, type LayoutProps } from './narrow-layout.tsx';

export interface NavigationLink {
  href: string;
  text: string;
  isCurrent: boolean;
  icon?: IconName;
}

/** Drawn as lines on a grid of 24. */
const icons = {
  account: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  apps: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 17h6M17 14v6',
  webhooks: 'M13 3L5 14h6l-1 7 8-11h-6z',
  keys: 'M7.5 16a4 4 0 1 1 3.9-5H21v4h-3v3h-3v-3h-3.6a4 4 0 0 1-3.9 1zM7.5 12h.01',
  security: 'M12 3l8 3v6c0 4.6-3.4 7.6-8 9-4.6-1.4-8-4.4-8-9V6z',
  partners: 'M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14',
  operator: 'M4.5 18a9 9 0 1 1 15 0M12 14l4-5',
} as const;

type IconName = keyof typeof icons;

/** The signed-in user, with the pages about themselves and the form that signs this browser out. */
export interface UserMenuProps {
  name: string;
  email: string;
  links: readonly { href: string; text: string }[];
  signOutAction: string;
  /** Sealed while the rest of the page is rendered. */
  signOutToken: Promise<string>;
}

/** The props that every account and partner page passes on to its layout. */
export interface DashboardProps {
  layout: LayoutProps;
  navigation: readonly NavigationLink[];
  /** The pages of the store that the page is about. */
  storeNavigation?: readonly NavigationLink[];
  /** Names those pages, if they are not of a store. */
  tabsLabel?: string;
  /** Absent where the page of a form is shown in the place of another. */
  userMenu?: UserMenuProps;
}

/**
 * A page with a navigation and one wide column. On a wide screen the navigation stands beside the
 * column; on a narrow one it is a popover, which needs no script. A browser without popovers shows
 * it above the column.
 */
export const DashboardLayout = ({
  layout,
  navigation,
  storeNavigation,
  tabsLabel,
  userMenu,
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
      <div class="shell">
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
          {userMenu && (
            <button type="button" class="plain user-button" popovertarget="user-menu">
              <span class="avatar" aria-hidden="true">
                {initialsOf(userMenu.name)}
              </span>
              <bdi class="user-name">{userMenu.name}</bdi>
              <span class="visually-hidden">: {t.userMenu}</span>
            </button>
          )}
        </header>
        <div class="page">
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
          {/* Last, so that the first form of a page is its own. */}
          {userMenu && <UserMenu {...userMenu} signOut={messages.session.signOut} />}
        </div>
      </div>
    </HtmlDocument>
  );
};

/** The first letters of the first and the last name. */
export const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word = '') => /./u.exec(word)?.[0] ?? '')
    .join('')
    .toUpperCase();
};

const NavigationLinks = ({ links }: { links: readonly NavigationLink[] }) => (
  <>
    {links.map(({ href, text, isCurrent, icon }) => (
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {icon && (
          <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <path d={icons[icon]} />
          </svg>
        )}
        {text}
      </a>
    ))}
  </>
);

const UserMenu = async ({
  name,
  email,
  links,
  signOutAction,
  signOutToken,
  signOut,
}: UserMenuProps & { signOut: string }) => (
  <div class="user-menu" id="user-menu" popover="auto">
    <p>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <br />
      <span class="muted">{readableAddress(email)}</span>
    </p>
    {links.map(({ href, text }) => (
      <a href={href}>{text}</a>
    ))}
    <form method="post" action={signOutAction}>
      <FormTokenInput formToken={await signOutToken} />
      <button class="plain">{signOut}</button>
    </form>
  </div>
);
