import type { Context } from 'hono';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { sessionLifetimes } from '../base/auth-lifetimes.ts';
import { pathId } from '../base/codecs/fields/ids.ts';
import { notFound } from '../base/errors.ts';
import type { Language } from '../base/languages.ts';
import {
  browserPaths,
  memberPaths,
  operatorPaths,
  partnerActivityPath,
  storePaths,
  teamPaths,
  testStorePaths,
  withQueryParameter,
} from '../base/page-paths.ts';
import type { MemberRole } from '../base/roles.ts';
import { settingsOf, type Settings } from '../base/settings.ts';
import type { ActionContext, AuditActor } from '../data/audit/action.ts';
import { requestSource } from '../data/audit/audit-lines.ts';
import { openDatabase } from '../data/core/open-database.ts';
import type { ManagedStore, SessionUser, UserSession } from '../data/directory/sessions.ts';
import type { AppEnv } from '../http/app-env.ts';
import { isMailConfigured } from '../mail/outbox.ts';
import type {
  DashboardProps,
  NavigationLink,
  UserMenuProps,
} from './components/dashboard-layout.tsx';
import { InfoPage } from './components/info-page.tsx';
import type { LayoutProps } from './components/narrow-layout.tsx';
import type { FormLimit } from './forms/form-limits.ts';
import { FormToken } from './forms/received-form.ts';
import { detectLanguage, languageParameter, buildLayoutProps, renderPage } from './render-page.ts';
import type { BrowserIdentity } from './sign-in/browser-session.ts';
import type { Messages } from './texts/en/messages.ts';
import { messagesFor } from './texts/messages.ts';

/**
 * A page is text that `render` turns into a response, or a response of its own, such as a redirect.
 */
export type Shown = Response | JSX.Element;

/** The purpose of the tokens of all forms that sign out. */
export const signOutPurpose = 'sign-out';

/** The data of such a form. */
export interface SignOutState {
  /** The target after signing out: a local path that this service created. */
  returnTo: string;
}

const signOutToken = new FormToken<SignOutState>(signOutPurpose);

/** The page that a browser sees after it signed out. */
export const signedOutPath = `${browserPaths.session}?signed-out=here`;

/** Status, headers and form targets of a rendered page. */
export type PageInit = NonNullable<Parameters<typeof renderPage>[2]>;

/**
 * The actor of a request without a signed-in user. A password or a link identifies the user later.
 */
const unknownActor: AuditActor = { kind: 'system', id: 'sign-in', name: '', userId: null };

/** A user as the actor of an action. */
export const userActor = (
  { id, name }: { id: number; name: string },
  kind: 'user' | 'operator' = 'user',
): AuditActor => ({ kind, id: String(id), name, userId: id });

/** One request for a page, of a browser without or before a session. */
export class PublicPage {
  readonly c: Context<AppEnv>;
  readonly browser: BrowserIdentity;
  /** Epoch milliseconds. */
  readonly now: number;
  #language: Language | undefined;

  constructor(c: Context<AppEnv>, browser: BrowserIdentity, now: number) {
    this.c = c;
    this.browser = browser;
    this.now = now;
  }

  get env(): Env {
    return this.c.env;
  }

  get settings(): Settings {
    return settingsOf(this.env);
  }

  get directory() {
    return openDatabase(this.env.DIRECTORY);
  }

  /** The address of the page, without its query. */
  get path(): string {
    return this.c.req.path;
  }

  /** The address with its query, except the switch of the language. */
  get address(): string {
    const { pathname, search } = new URL(this.c.req.url);
    return withQueryParameter(pathname + search, languageParameter);
  }

  /** The user whose language the page has, unless the browser has chosen one. */
  protected get reader(): Pick<SessionUser, 'language'> | undefined {
    return undefined;
  }

  /** The only place where the language of a page is found. */
  get language(): Language {
    return (this.#language ??= detectLanguage(this.c, this.reader?.language));
  }

  get messages(): Messages {
    return messagesFor(this.language);
  }

  /** A part of the path; empty if the path has none of this name. */
  param(name: string): string {
    return this.c.req.param(name) ?? '';
  }

  /** An id of the path, a positive whole number. Throws a 404 for anything else. */
  id(name: string): number {
    return parsePathNumber(this.param(name));
  }

  query(name: string): string | undefined {
    return this.c.req.query(name);
  }

  /** The outcome of the form that redirected here, if it is one of `outcomes`. */
  done<const Outcome extends string>(outcomes: readonly Outcome[]): Outcome | undefined {
    const sent = this.query('done');
    return outcomes.find((outcome) => outcome === sent);
  }

  /** Continues work after the response. */
  defer(work: Promise<unknown>): void {
    this.c.executionCtx.waitUntil(work);
  }

  /** The address of the client; absent in a local service. */
  get clientAddress(): string | undefined {
    return this.c.req.header('CF-Connecting-IP');
  }

  /** The context of an action of an actor. */
  actionOf(actor: AuditActor = unknownActor): ActionContext {
    return {
      env: this.env,
      settings: this.settings,
      directory: this.directory,
      now: this.now,
      actor,
      from: requestSource(this.c.req.raw),
      defer: (work) => this.defer(work),
    };
  }

  /**
   * The notice of a page that leads to a mail, if this service cannot send any; `undefined` if it
   * can.
   */
  get mailNotice(): string | undefined {
    return isMailConfigured(this.env) ? undefined : this.messages.notifications.noSender;
  }

  /**
   * The props of a page with one column. The switch of the language leads to `path`, and is absent
   * without one.
   */
  layout(path?: string): LayoutProps {
    return buildLayoutProps(this.c, this.language, path);
  }

  render(page: JSX.Element, init?: PageInit): Response | Promise<Response> {
    return renderPage(this.c, page, init);
  }

  /**
   * Shows a page without a form in one column. The switch of the language leads to `path`, and is
   * absent without one.
   */
  info(
    info: Omit<Parameters<typeof InfoPage>[0], 'layout' | 'navigation'>,
    { path, ...init }: PageInit & { path?: string } = {},
  ) {
    return this.render(InfoPage({ layout: this.layout(path), ...info }), init);
  }

  redirect(path: string): Response {
    return this.c.redirect(path, 303);
  }
}

/** One request for a page, of a user who is signed in. */
export class SignedInPage extends PublicPage {
  readonly session: UserSession;
  /** Whether the user acts as an operator of the service. */
  readonly #isForOperators: boolean;
  readonly #store: ManagedStore | undefined;

  constructor(
    { c, browser, now }: Pick<PublicPage, 'c' | 'browser' | 'now'>,
    session: UserSession,
    {
      store,
      isForOperators = false,
    }: { store?: ManagedStore | undefined; isForOperators?: boolean } = {},
  ) {
    super(c, browser, now);
    this.session = session;
    this.#store = store;
    this.#isForOperators = isForOperators;
  }

  get user(): SessionUser {
    return this.session.user;
  }

  /**
   * Whether the user has proved their identity recently enough for a protected page. It takes a
   * code of the second factor where there is one. A password proves nothing then.
   */
  get isProved(): boolean {
    const { user, provedAt, factorAt } = this.session;
    const at = user.hasSecondFactor ? (factorAt ?? 0) : provedAt;
    return this.now - at < sessionLifetimes.proof;
  }

  protected override get reader(): SessionUser {
    return this.user;
  }

  /** The store of `:alias`. The user is a member, with the role that the page asks for. */
  get store(): ManagedStore {
    if (!this.#store) throw notFound();
    return this.#store;
  }

  /** The context of an action of the user. */
  get action(): ActionContext {
    return this.actionOf(userActor(this.user, this.#isForOperators ? 'operator' : 'user'));
  }

  /**
   * The props of a page with the navigation. `part` is the part of the pages that it belongs to.
   * `path` is the target of the switch of the language; no switch for `null`, where a secret is
   * shown once.
   */
  dashboard(part: Part | undefined, path: string | null = this.path): DashboardProps {
    const layout = this.layout(path ?? undefined);
    const { session } = this;
    const navigation = buildNavigation({ session, store: this.#store }, layout, part);
    return { layout, ...navigation, userMenu: this.#userMenu() };
  }

  #userMenu(): UserMenuProps {
    const { settings, browser, now, messages, user } = this;
    const expiresAt = now + sessionLifetimes.form;
    return {
      ...user,
      links: [
        { href: browserPaths.profile, text: messages.security.profile.title },
        { href: browserPaths.sessions, text: messages.security.sessions.title },
        { href: browserPaths.notifications, text: messages.notifications.title },
      ],
      signOutAction: browserPaths.end,
      signOutToken: signOutToken.seal(settings, browser, { returnTo: signedOutPath }, expiresAt),
    };
  }
}

/** A page of signed-in users, and the handler of its form with the limits that it can have. */
export type UserPage = PageWithoutForm &
  (
    | { onSubmit?: undefined; limits?: undefined }
    | {
        /** `userForm` builds it. */
        onSubmit: (page: SignedInPage, sent: URLSearchParams) => Response | Promise<Response>;
        limits: readonly FormLimit[];
      }
  );

interface PageWithoutForm {
  path: string;
  show: (page: SignedInPage) => Shown | Promise<Shown>;
  /**
   * The least role in the store of `:alias` to see the page. Absent for pages that belong to no
   * store.
   */
  role?: MemberRole;
  /** The least role to submit its form. */
  submitRole?: MemberRole;
  /** Whether the page also opens for a store that is inactive. */
  opensInactive?: boolean;
  /** Whether only operators of the service may open the page. For all others it does not exist. */
  isForOperators?: boolean;
  /**
   * Whether the user must have proved their identity within the last ten minutes, to send the form.
   * `toShow` is for a page that does not open without it, `withSecondFactor` for one that asks for
   * the password itself.
   */
  needsProof?: true | 'toShow' | 'withSecondFactor';
  /** The largest file that its form takes; it takes none unless given. */
  maxFileBytes?: number;
}

/** Parses a positive whole number of the path or the query. Throws a 404 for anything else. */
export function parsePathNumber(text: string | undefined): number {
  const { data } = pathId.safeParse(text);
  if (data === undefined) throw notFound();
  return data;
}

const pages = new WeakMap<Request, SignedInPage>();

/**
 * Remembers the signed-in user, so that an error page of this request has their navigation and
 * language.
 */
export const rememberPage = (page: SignedInPage) => pages.set(page.c.req.raw, page);

/** Returns the page of a request whose user is known. */
export const recallPage = (request: Request): SignedInPage | undefined => pages.get(request);

const tabs = {
  /** The pages of one store; they belong to the account in the navigation. */
  store: ['stores', 'imports', 'exports', 'members', 'activity'],
  partners: ['apps', 'testStores', 'team', 'activity'],
  operator: ['overview', 'stores', 'users', 'apps', 'hosts', 'activity'],
} as const;

type Tabs = typeof tabs;

/** The part of the pages that a page belongs to; with its tab, where the part has tabs. */
export type Part =
  | 'account'
  | 'apps'
  | 'webhooks'
  | 'keys'
  | 'security'
  | { [Name in keyof Tabs]: `${Name}/${Tabs[Name][number]}` }[keyof Tabs];

type Navigation = Pick<DashboardProps, 'navigation' | 'storeNavigation' | 'tabsLabel'>;

/**
 * Builds the links of a signed-in user: no links about stores for users without one, operators'
 * pages for operators. `current` is undefined for a page outside the navigation, such as an error.
 */
function buildNavigation(
  {
    session: { user, stores },
    store,
  }: { session: UserSession; store: Pick<ManagedStore, 'alias' | 'active'> | undefined },
  { language }: { language: Language },
  current: Part | undefined,
): Navigation {
  const messages = messagesFor(language);
  const labels = messages.navigation;
  const [part = '', tab = ''] = current?.split('/') ?? [];
  const shown = part === 'store' ? 'account' : part;
  const hasStores = stores.length > 0;
  const links = [
    ['account', browserPaths.account, true],
    ['apps', browserPaths.connectedApps, hasStores],
    ['webhooks', browserPaths.webhooks, hasStores],
    ['keys', browserPaths.keys, hasStores || user.isOperator],
    ['security', browserPaths.security, true],
    ['partners', browserPaths.partners, true],
    ['operator', browserPaths.operator, user.isOperator],
  ] as const;
  const navigation = links
    .filter(([, , isShown]) => isShown)
    .map(([name, href]) => ({ href, text: labels[name], isCurrent: name === shown, icon: name }));
  const linksOf = <Name extends string>(
    names: readonly Name[],
    hrefs: Readonly<Record<Name, string>>,
    texts: Readonly<Record<Name, string>>,
  ): NavigationLink[] =>
    names.map((name) => ({ href: hrefs[name], text: texts[name], isCurrent: name === tab }));
  if (part === 'store' && store) {
    const { alias, active } = store;
    // The other pages of an inactive store do not exist.
    const names = tabs.store.filter((name) => active || name === 'stores' || name === 'activity');
    const hrefs = {
      stores: storePaths.details(alias),
      imports: storePaths.imports(alias),
      exports: storePaths.productExports(alias),
      members: memberPaths.list(alias),
      activity: storePaths.activity(alias),
    };
    return { navigation, storeNavigation: linksOf(names, hrefs, labels) };
  }
  if (part === 'partners') {
    const texts = messages.partnerTools.links;
    const hrefs = {
      apps: browserPaths.partners,
      testStores: testStorePaths.list,
      team: teamPaths.team,
      activity: partnerActivityPath(),
    };
    const storeNavigation = linksOf(tabs.partners, hrefs, texts);
    return { navigation, storeNavigation, tabsLabel: texts.label };
  }
  if (part === 'operator') {
    const texts = messages.operator.tabs;
    const storeNavigation = linksOf(tabs.operator, operatorPaths, texts);
    return { navigation, storeNavigation, tabsLabel: texts.label };
  }
  return { navigation };
}
