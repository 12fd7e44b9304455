/** The start page in English. */
export const homeInEnglish = {
  title: 'Your products, orders and apps in one place',
  lead: 'Import a spreadsheet, connect an app or write your own: each sale moves the stock, and whoever needs to know is told.',
  picture: 'The page of a store, with its revenue and its latest orders',
  openStore: 'Open a store',
  partners: 'Build an app',
  partnersLead: 'Register an app, try it in a test store and see where it is used.',
  signUp: 'Create an account',
  documentation: 'Read the documentation',
  documentationLead: 'Guides, every operation with examples, and the events that webhooks send.',
  readGuides: 'Documentation',
  readReference: 'All operations',
};
