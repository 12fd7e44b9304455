import type { Messages } from '../en/messages.ts';

/** The start page in Spanish. */
export const homeInSpanish: Messages['home'] = {
  title: '¿Qué quieres hacer?',
  lead: 'Tiendas, las apps que trabajan para ellas y todo para crear tu propia app.',
  merchants: 'Administrar tu tienda',
  merchantsLead: 'Mira tus tiendas, las apps conectadas, los webhooks y las claves de API.',
  signIn: 'Iniciar sesión',
  openStore: 'Abrir una tienda',
  partners: 'Crear una app',
  partnersLead: 'Registra una app, pruébala en una tienda de prueba y mira dónde se usa.',
  openPanel: 'Ir a tus apps',
  signUp: 'Crear una cuenta',
  documentation: 'Leer la documentación',
  documentationLead:
    'Guías, todas las operaciones con ejemplos y los eventos que envían los webhooks.',
  readGuides: 'Guías',
  readReference: 'Todas las operaciones',
};
