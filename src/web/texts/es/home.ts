import type { Messages } from '../en/messages.ts';

/** The start page in Spanish. */
export const homeInSpanish: Messages['home'] = {
  title: 'Tus productos, pedidos y apps en un solo lugar',
  lead: 'Importa una hoja de cálculo, conecta una app o crea la tuya: cada venta actualiza el stock, y quien necesita saberlo recibe un aviso.',
  picture: 'La página de una tienda, con sus ingresos y sus últimos pedidos',
  openStore: 'Abrir una tienda',
  partners: 'Crear una app',
  partnersLead: 'Registra una app, pruébala en una tienda de prueba y mira dónde se usa.',
  signUp: 'Crear una cuenta',
  documentation: 'Leer la documentación',
  documentationLead:
    'Guías, todas las operaciones con ejemplos y los eventos que envían los webhooks.',
  readGuides: 'Documentación',
  readReference: 'Todas las operaciones',
};
