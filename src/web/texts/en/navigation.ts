/** The navigation in English. */
export const navigationInEnglish = {
  label: 'Pages',
  menu: 'Menu',
  userMenu: 'your menu',
  account: 'Account',
  apps: 'Connected apps',
  webhooks: 'Webhooks',
  keys: 'API keys',
  security: 'Security',
  partners: 'Partner apps',
  operator: 'Operator',
  storeLabel: 'This store',
  stores: 'Store',
  imports: 'Imports',
  exports: 'Exports',
  members: 'Members',
  activity: 'Activity',
};
