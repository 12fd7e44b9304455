/** The addresses of the browser pages, except the consent page (`oauth/metadata.ts`). */
export const browserPaths = {
  /** The page for everyone. */
  home: '/',
  /** The sign-in form, and where it posts to. */
  session: '/session',
  end: '/session/end',
  endEverywhere: '/session/end-everywhere',
  /** The second step of signing in, and where a signed-in user proves who they are. */
  code: '/session/code',
  proof: '/session/proof',
  forgottenPassword: '/password/forgotten',
  signUp: '/sign-up',
  setup: '/setup',
  account: '/account',
  password: '/account/password',
  connectedApps: '/account/apps',
  keys: '/account/keys',
  webhooks: '/account/webhooks',
  /** The pages of each store, by its alias. */
  stores: '/account/stores',
  security: '/account/security',
  sessions: '/account/sessions',
  profile: '/account/profile',
  /** Which mails the user gets. */
  notifications: '/account/notifications',
  operator: '/operator',
  partners: '/partners',
} as const;

/** What a deployment looks like; the documentation uses the same addresses. */
export const brandPaths = {
  style: '/assets/brand.css',
  logo: '/assets/logo.svg',
  icon: '/assets/icon.svg',
} as const;

/** Where the forms of people who are not signed in begin, such as those behind the links of mails. */
export const publicFormRoots = [
  '/setup',
  '/sign-up',
  '/password',
  '/e-mail',
  '/invitations',
] as const;

/** Where browsers go that asked for no particular page. */
export const homePath = browserPaths.account;

/** Sets or removes a query parameter of a local path. The rest of the query stays byte for byte. */
export function withQueryParameter(path: string, name: string, value?: string): string {
  const [pathname = '', query = ''] = path.split(/\?(.*)/s);
  const others = query.split('&').filter((pair) => pair !== '' && pair.split('=')[0] !== name);
  const pairs = value === undefined ? others : [...others, `${name}=${encodeURIComponent(value)}`];
  return pairs.length > 0 ? `${pathname}?${pairs.join('&')}` : pathname;
}
