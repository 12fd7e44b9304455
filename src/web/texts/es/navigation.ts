import type { Messages } from '../en/messages.ts';

/** The navigation in Spanish. */
export const navigationInSpanish: Messages['navigation'] = {
  label: 'Páginas',
  menu: 'Menú',
  userMenu: 'tu menú',
  account: 'Cuenta',
  apps: 'Apps conectadas',
  webhooks: 'Webhooks',
  keys: 'Claves de API',
  security: 'Seguridad',
  partners: 'Apps de partners',
  operator: 'Operador',
  storeLabel: 'Esta tienda',
  stores: 'Tienda',
  imports: 'Importaciones',
  exports: 'Exportaciones',
  members: 'Miembros',
  activity: 'Actividad',
};
