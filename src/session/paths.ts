/** The addresses of the pages for people, besides that of consent. */
export const paths = {
  /** The form to sign in with; also where it goes. */
  session: '/session',
  end: '/session/end',
  endEverywhere: '/session/end-everywhere',
  /** Who is signed in. */
  account: '/account',
  password: '/account/password',
  connectedApps: '/account/apps',
  keys: '/account/keys',
  webhooks: '/account/webhooks',
  partners: '/partners',
} as const;

/** Where people are sent who came for nothing in particular. */
export const home = paths.account;
