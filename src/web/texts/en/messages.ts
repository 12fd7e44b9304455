import { accountInEnglish } from './account.ts';
import { activityInEnglish } from './activity.ts';
import { apiKeysInEnglish } from './api-keys.ts';
import { appWebhookInEnglish } from './app-webhook.ts';
import { commonInEnglish } from './common.ts';
import { deliveriesInEnglish } from './deliveries.ts';
import { homeInEnglish } from './home.ts';
import { membersInEnglish } from './members.ts';
import { navigationInEnglish } from './navigation.ts';
import { notificationsInEnglish } from './notifications.ts';
import { operatorInEnglish } from './operator.ts';
import { partnerToolsInEnglish } from './partner-tools.ts';
import { partnersInEnglish } from './partners.ts';
import { scopesInEnglish } from './scopes.ts';
import { securityInEnglish } from './security.ts';
import { storesInEnglish } from './stores.ts';
import { transfersInEnglish } from './transfers.ts';
import { webhookFormsInEnglish } from './webhook-forms.ts';
import { webhooksInEnglish } from './webhooks.ts';

/**
 * The messages in English. Every language has the same keys and the same placeholders (`{name}`).
 */
export const englishMessages = {
  skip: 'Skip to the content',
  language: 'Language',
  errorSummary: 'There is a problem',
  signIn: {
    title: 'Sign in',
    waiting: '{app} wants to connect to your store. Sign in to see what it asks for.',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    emailMissing: 'Enter your e-mail address.',
    passwordMissing: 'Enter your password.',
    wrong: 'The e-mail address or the password is wrong.',
    wait: 'Too many attempts. Try again in {time}.',
    busy: 'Too many people are signing in at this moment. Try again in {time}.',
    mails: 'Too many e-mails. Try again in {time}.',
    signedOut: 'You are signed out.',
    signedOutEverywhere: 'You are signed out on all devices.',
  },
  session: {
    as: 'Signed in as {name} ({email}).',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out on all devices',
    everywhereHint: 'If you lost a device, or used one that is not yours, sign out on all of them.',
    other: 'Use another account',
  },
  store: {
    title: 'Choose a store',
    lead: '{app} wants to connect to one of your stores. Which one?',
    owner: 'You own this store',
    manager: 'You manage this store',
    viewer: 'You can look at this store',
    none: 'No store to connect',
    noneLead: 'You have no active store that {app} could use. Nothing has changed.',
    noneDraft: '{app} is still a draft, so it can only use the stores of its developer.',
    foreign: 'You cannot connect this store',
    foreignLead:
      'It does not exist, it is closed, or you do not manage it. Nothing has been decided, and nothing in any store has changed.',
    chooseAnother: 'Choose another store',
  },
  consent: {
    title: 'Connect an app',
    heading: 'Connect {app}?',
    installs: 'Connected stores',
    since: 'Registered on',
    asks: '{app} wants to use your store {store}.',
    draft: 'This app is a draft. Only your own stores can use it.',
    may: 'What it may do',
    careful: 'Be careful',
    carefulLead: 'Allow this only if you trust the developer of the app.',
    also: 'Also: {areas}',
    always: 'See your name, your e-mail address and the name of this store.',
    returns: 'In both cases you then return to {host}.',
    returnsLocal:
      'In both cases you then return to a program on this device ({host}). Continue only if you started it yourself.',
    disconnect: 'You can disconnect the app at any time under Connected apps.',
    approve: 'Approve',
    deny: 'Deny',
    agent: {
      title: 'Let an assistant use your store?',
      asks: 'An assistant asks to use your store {store}. It is a program that decides by itself what to do for you.',
      from: 'It comes from',
      verified: 'verified',
      thisDevice: 'a program on this device ({host})',
      name: 'It calls itself',
      claimed: 'It says that it is from',
      notVerified: 'not verified',
      careful:
        'Anybody can choose the name of an assistant. Go on only if you have just started this yourself.',
      readOnly: 'Read only',
      readOnlyMeaning: 'It sees the areas below and changes nothing.',
      change: 'Read and change',
      changeMeaning: 'It also creates, changes and deletes in the areas below.',
      risk: 'If it may change:',
      more: 'More about {areas}',
      areas: 'Areas of your store',
      usual: 'Catalogue and sales',
      sensitive: 'Money, customers and settings: tick only what it needs',
      nothing: 'Tick at least one area, or deny.',
      tooMany:
        'You have connected this assistant to this store {count} times already. Under Connected apps, disconnect yours, then start again.',
      always: 'In each case it sees your name, your e-mail address and the name of this store.',
      ends: 'You can end this at any time under Connected apps. It ends by itself after 90 days without use.',
    },
  },
  invalidLink: {
    title: 'This link does not work',
    fault:
      'The app that sent you here made a mistake. It is not your fault, and nothing in your store has changed.',
    advice: 'Go back to the app and try again. If it happens again, tell the developer of the app.',
    back: 'Back to the app at {host}',
    forDevelopers: 'For developers: {reason}',
    urlTooLong: 'the address is longer than 8,192 characters.',
    missing: '{parameter} is missing.',
    repeated: '{parameter} was sent twice.',
    client: 'no app that is available has this client_id: {value}',
    redirectUri: 'the app has not registered this redirect_uri: {value}',
    document:
      'the metadata document at client_id cannot be read, or does not describe this client.',
    confidential:
      'the client at client_id is not public: its document must have token_endpoint_auth_method none, or none among token_endpoint_auth_methods_supported. It has: {value}',
    blocked: 'clients of this host are blocked here.',
  },
  decided: {
    title: 'You have already decided',
    lead: 'You have sent this decision before, and the first one counts. Go back to the app to see the result.',
  },
  expired: {
    title: 'This page has expired',
    lead: 'It was open for too long. Nothing has been decided, and nothing in your store has changed.',
    again: 'Start again',
  },
  error: {
    home: 'Go to my account',
    start: 'Go to the start page',
    badForm: 'This form cannot be used',
    badFormLead:
      'It did not arrive as we sent it to you, so nothing was done. Go back to the app or page you came from and start again.',
    foreignForm: 'This form is not yours',
    foreignFormLead:
      'It was made for another browser or sent from another site, or you have signed in or out since. Nothing was done. Go back to the app or page you came from and start again.',
    notFound: 'There is no such page',
    notFoundLead:
      'It does not exist, or it is not yours. Nothing has changed. Go on from your account.',
    tooMany: 'Too many requests',
    tooManyLead: 'Nothing was done. Try again in {time}.',
    unavailable: 'We cannot answer right now',
    unavailableLead: 'It is our fault. Try again in a moment.',
    failed: 'Something went wrong',
    failedLead: 'It is our fault. Try again; if it happens again, tell us this number: {request}',
  },
  scopes: scopesInEnglish,
  common: commonInEnglish,
  home: homeInEnglish,
  navigation: navigationInEnglish,
  notifications: notificationsInEnglish,
  account: accountInEnglish,
  apiKeys: apiKeysInEnglish,
  activity: activityInEnglish,
  operator: operatorInEnglish,
  members: membersInEnglish,
  stores: storesInEnglish,
  transfers: transfersInEnglish,
  webhooks: webhooksInEnglish,
  webhookForms: webhookFormsInEnglish,
  deliveries: deliveriesInEnglish,
  partners: partnersInEnglish,
  partnerTools: partnerToolsInEnglish,
  appWebhook: appWebhookInEnglish,
  security: securityInEnglish,
};

/** The messages of one language. */
export type Messages = typeof englishMessages;
