/** The start page in English. */
export const homeInEnglish = {
  title: 'What would you like to do?',
  lead: 'Stores, the apps that work for them, and everything to build your own.',
  merchants: 'Run your store',
  merchantsLead: 'See your stores, connected apps, webhooks and API keys.',
  signIn: 'Sign in',
  openStore: 'Open a store',
  partners: 'Build an app',
  partnersLead: 'Register an app, try it in a test store and see where it is used.',
  openPanel: 'Go to your apps',
  signUp: 'Create an account',
  documentation: 'Read the documentation',
  documentationLead: 'Guides, every operation with examples, and the events that webhooks send.',
  readGuides: 'Guides',
  readReference: 'All operations',
};
