import type { Language } from './languages.ts';

/** The addresses of the browser pages, except the consent page (`oauth/server-metadata.ts`). */
export const browserPaths = {
  /** The public start page. */
  home: '/',
  /** The sign-in form, and the target of its `POST`. */
  session: '/session',
  end: '/session/end',
  endEverywhere: '/session/end-everywhere',
  /** The second step of signing in, and the proof of identity of a signed-in user. */
  code: '/session/code',
  /** Where a passkey signs in without the password. */
  passkeySignIn: '/session/passkey',
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
  /** The kinds of mails that the user gets. */
  notifications: '/account/notifications',
  operator: '/operator',
  partners: '/partners',
} as const;

/** The files of a deployment's brand; the documentation uses the same addresses. */
export const brandPaths = {
  style: '/assets/brand.css',
  logo: '/assets/logo.svg',
  icon: '/assets/icon.svg',
} as const;

/**
 * The first paths of forms for browsers without a session, such as those behind the links of mails.
 */
export const publicFormRoots = [
  '/setup',
  '/sign-up',
  '/password',
  '/e-mail',
  '/second-factor',
  '/invitations',
] as const;

/** The pages that one-use links of mails open, by the kind of the link. */
export const linkPagePaths = {
  sign_up: `${browserPaths.signUp}/confirm`,
  password_reset: '/password/reset',
  confirm_email: '/e-mail/confirm',
  undo_email: '/e-mail/undo',
  keep_second_factor: '/second-factor/keep',
} as const;

/** Where the link of a mail switches off the mails of its kind, without a session. */
export const unsubscribePath = '/e-mail/unsubscribe';

/** The path of a one-use link with its token. */
export const linkPath = (kind: keyof typeof linkPagePaths, token: string) =>
  `${linkPagePaths[kind]}?token=${token}`;

/** The path of an invitation to a store or team, with its token. */
export const invitationPath = (token: string) => `/invitations/${token}`;

/** The path of the link that makes the first operator. */
export const setupPath = (token: string) => `${browserPaths.setup}?token=${token}`;

/** The target of browsers that asked for no particular page. */
export const homePath = browserPaths.account;

/** Sets or removes a query parameter of a local path. The rest of the query stays byte for byte. */
export function withQueryParameter(path: string, name: string, value?: string): string {
  const [pathname = '', query = ''] = path.split(/\?(.*)/s);
  const others = query.split('&').filter((pair) => pair !== '' && pair.split('=')[0] !== name);
  const pairs = value === undefined ? others : [...others, `${name}=${encodeURIComponent(value)}`];
  return pairs.length > 0 ? `${pathname}?${pairs.join('&')}` : pathname;
}

/** Names a part of a path: its value, or `:name` where a route is declared. */
type Id = number | string;

/** The pages about API keys. */
export const apiKeyPaths = {
  create: `${browserPaths.keys}/new`,
  /** Shows a new key once. */
  created: `${browserPaths.keys}/made`,
  revoke: (id: Id) => `${browserPaths.keys}/${id}/revoke`,
  requests: (id: Id) => `${browserPaths.keys}/${id}/requests`,
} as const;

/**
 * Asks for confirmation before an app is disconnected from a store. The client id of an assistant
 * may be an address.
 */
export const disconnectAppPath = (alias: string, clientId: string) =>
  `${browserPaths.connectedApps}/${alias}/${encodeURIComponent(clientId)}/disconnect`;

/** The same as a route. */
export const disconnectAppRoute = `${browserPaths.connectedApps}/:alias/:clientId/disconnect`;

const webhookPath = (alias: string, id: Id) => `${browserPaths.webhooks}/${alias}/${id}`;

/** The pages about one webhook of a store. */
export const webhookPaths = {
  create: (alias: string) => `${browserPaths.webhooks}/${alias}/new`,
  /** Its health and its delivery log. */
  details: webhookPath,
  delivery: (alias: string, id: Id, seq: Id) => `${webhookPath(alias, id)}/deliveries/${seq}`,
  edit: (alias: string, id: Id) => `${webhookPath(alias, id)}/edit`,
  rotate: (alias: string, id: Id) => `${webhookPath(alias, id)}/rotate`,
  /** Shows a new signing secret once. */
  secret: (alias: string, id: Id) => `${webhookPath(alias, id)}/secret`,
  delete: (alias: string, id: Id) => `${webhookPath(alias, id)}/delete`,
  resume: (alias: string, id: Id) => `${webhookPath(alias, id)}/resume`,
} as const;

const storePath = (alias: string) => `${browserPaths.stores}/${alias}`;

/** The pages about one store. */
export const storePaths = {
  details: storePath,
  edit: (alias: string) => `${storePath(alias)}/edit`,
  secondFactor: (alias: string) => `${storePath(alias)}/second-factor`,
  export: (alias: string) => `${storePath(alias)}/export`,
  close: (alias: string) => `${storePath(alias)}/close`,
  reopen: (alias: string) => `${storePath(alias)}/reopen`,
  leave: (alias: string) => `${storePath(alias)}/leave`,
  activity: (alias: string) => `${storePath(alias)}/activity`,
  /** The file of an export. */
  exportFile: (alias: string, id: Id) => `${storePath(alias)}/exports/${id}`,
  imports: (alias: string) => `${storePath(alias)}/imports`,
  import: (alias: string, id: Id) => `${storePath(alias)}/imports/${id}`,
  /** The errors of an import as a file. */
  importErrors: (alias: string, id: Id) => `${storePath(alias)}/imports/${id}/errors`,
  /** The form that says what the columns of an uploaded table are. */
  importColumns: (alias: string, file: string) => `${storePath(alias)}/tables/${file}`,
  productExports: (alias: string) => `${storePath(alias)}/product-exports`,
  productExport: (alias: string, id: Id) => `${storePath(alias)}/product-exports/${id}`,
  /** The products of an export as a file: `csv` or `ndjson`. */
  productFile: (alias: string, id: Id, format: string) =>
    `${storePath(alias)}/product-exports/${id}/${format}`,
  /** The form that creates a store. */
  create: '/account/new-store',
} as const;

const memberPath = (alias: string, userId: Id) => `${storePath(alias)}/members/${userId}`;

/** The pages about the members of a store. */
export const memberPaths = {
  list: (alias: string) => `${storePath(alias)}/members`,
  invite: (alias: string) => `${storePath(alias)}/members/invite`,
  invitation: (alias: string, id: Id) => `${storePath(alias)}/members/invitations/${id}`,
  details: memberPath,
  remove: (alias: string, userId: Id) => `${memberPath(alias, userId)}/remove`,
  handOver: (alias: string, userId: Id) => `${memberPath(alias, userId)}/hand-over`,
} as const;

const factor = `${browserPaths.security}/second-factor`;

/** The pages of the security of an account. */
export const securityPaths = {
  factor,
  factorOff: `${factor}/off`,
  codes: `${factor}/codes`,
  newCodes: `${factor}/codes/new`,
  newPasskey: `${browserPaths.security}/passkeys/new`,
  removePasskey: (id: string) => `${browserPaths.security}/passkeys/${id}/remove`,
  forgetDevice: (id: string) => `${browserPaths.security}/devices/${id}/forget`,
  shutDoors: `${browserPaths.security}/shut-doors`,
  endSession: (id: string) => `${browserPaths.sessions}/${id}/end`,
  endOtherSessions: `${browserPaths.sessions}/end-others`,
  email: `${browserPaths.profile}/e-mail`,
  cancelEmail: `${browserPaths.profile}/e-mail/cancel`,
} as const;

/** The transitions of an app that a partner starts; also the last segment of the page's path. */
export const appTransitions = ['publish', 'withdraw', 'disable'] as const;

export type AppTransition = (typeof appTransitions)[number];

/** The first part of the addresses of the logos of apps. */
export const logosPath = '/logos';

/** The logo of an app. */
export const logoPath = (clientId: string, file: string) => `${logosPath}/${clientId}/${file}`;

const appPath = (clientId: string) => `${browserPaths.partners}/${clientId}`;

/** The pages about apps. */
export const appPaths = {
  register: `${browserPaths.partners}/new`,
  app: appPath,
  edit: (clientId: string) => `${appPath(clientId)}/edit`,
  logo: (clientId: string) => `${appPath(clientId)}/logo`,
  logoRemoval: (clientId: string) => `${appPath(clientId)}/logo/remove`,
  verify: (clientId: string) => `${appPath(clientId)}/verify`,
  trial: (clientId: string) => `${appPath(clientId)}/try`,
  installs: (clientId: string) => `${appPath(clientId)}/stores`,
  requests: (clientId: string) => `${appPath(clientId)}/requests`,
  webhook: (clientId: string) => `${appPath(clientId)}/webhook`,
  webhookSecret: (clientId: string) => `${appPath(clientId)}/webhook/secret`,
  webhookRotation: (clientId: string) => `${appPath(clientId)}/webhook/rotate`,
  webhookRemoval: (clientId: string) => `${appPath(clientId)}/webhook/remove`,
  transition: (clientId: string, transition: AppTransition) => `${appPath(clientId)}/${transition}`,
} as const;

const testStores = `${browserPaths.partners}/test-stores`;

/** The pages about test stores. */
export const testStorePaths = {
  list: testStores,
  make: `${testStores}/new`,
  store: (alias: string) => `${testStores}/${alias}`,
  reset: (alias: string) => `${testStores}/${alias}/reset`,
  remove: (alias: string) => `${testStores}/${alias}/delete`,
} as const;

const team = `${browserPaths.partners}/team`;

/** The pages about the team of a partner. */
export const teamPaths = {
  team,
  withdraw: (id: Id) => `${team}/invitations/${id}/withdraw`,
  remove: (userId: Id) => `${team}/members/${userId}/remove`,
  leave: (partnerId: Id) => `${team}/of/${partnerId}/leave`,
} as const;

/** The page of the activity of a partner; `of` chooses another one's, `cursor` goes on. */
export const partnerActivityPath = (query: { of?: string; cursor?: string } = {}) => {
  const text = new URLSearchParams(query).toString();
  return `${browserPaths.partners}/activity${text && `?${text}`}`;
};

const operator = browserPaths.operator;

/** The pages of operators. */
export const operatorPaths = {
  overview: operator,
  objectives: `${operator}/objectives`,
  stores: `${operator}/stores`,
  newStore: `${operator}/stores/new`,
  store: (id: Id) => `${operator}/stores/${id}`,
  exportFile: (id: Id, jobId: Id) => `${operator}/stores/${id}/exports/${jobId}`,
  erasure: (id: Id, jobId: Id) => `${operator}/stores/${id}/erasures/${jobId}`,
  purgeMove: (id: Id, jobId: Id) => `${operator}/stores/${id}/moves/${jobId}/purge`,
  removeMember: (id: Id, userId: Id) => `${operator}/stores/${id}/members/${userId}/remove`,
  users: `${operator}/users`,
  newUser: `${operator}/users/new`,
  revokeKey: (id: Id, keyId: Id) => `${operator}/users/${id}/keys/${keyId}/revoke`,
  user: (id: Id) => `${operator}/users/${id}`,
  apps: `${operator}/apps`,
  app: (id: Id) => `${operator}/apps/${id}`,
  hosts: `${operator}/hosts`,
  newHost: `${operator}/hosts/new`,
  host: (id: Id) => `${operator}/hosts/${id}`,
  drain: (number: Id) => `${operator}/databases/${number}/empty`,
  activity: `${operator}/activity`,
} as const;

/** The page of the partner panel that acts as the app when its partner tries it. */
export const trialCallbackPath = `${browserPaths.partners}/try/callback`;

/** The pages of the documentation. The reference is in English. */
export const docsPaths = {
  home: '/docs',
  interactive: '/docs/reference',
  operations: '/docs/reference/operations',
  events: '/docs/reference/events',
  records: '/docs/reference/records',
} as const;

/** The first page of the documentation in a language; `/docs` chooses one of them. */
export const docsHomePath = (language: Language) => `${docsPaths.home}/${language.toLowerCase()}`;

/** The address of all operations as a collection for Postman and Bruno. */
export const postmanPath = `${docsPaths.home}/postman.json`;

/** The address of the changelog as a feed. */
export const changelogFeedPath = `${docsPaths.home}/changelog.atom`;

/** The address of a guide in a language. */
export const guidePath = (language: Language, guide: string) =>
  `${language === 'en' ? docsPaths.home : docsHomePath(language)}/guides/${guide}`;

/** The parts of an address, behind each of which a line may end. */
export const splitAddress = (url: string) => url.split(/(?<=[^/:]\/)/);
