import type { Messages } from '../en/messages.ts';

/** The navigation in Brazilian Portuguese. */
export const navigationInPortuguese: Messages['navigation'] = {
  label: 'Páginas',
  menu: 'Menu',
  userMenu: 'seu menu',
  account: 'Conta',
  apps: 'Apps conectados',
  webhooks: 'Webhooks',
  keys: 'Chaves de API',
  security: 'Segurança',
  partners: 'Apps de parceiros',
  operator: 'Operador',
  storeLabel: 'Esta loja',
  stores: 'Loja',
  imports: 'Importações',
  exports: 'Exportações',
  members: 'Membros',
  activity: 'Atividade',
};
