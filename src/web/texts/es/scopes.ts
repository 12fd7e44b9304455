import type { Messages } from '../en/messages.ts';

/** The descriptions of the scopes in Spanish. */
export const scopesInSpanish: Messages['scopes'] = {
  areas: {
    catalog: 'Catálogo',
    inventory: 'Stock',
    comments: 'Comentarios de productos',
    customers: 'Clientes',
    carts: 'Carritos',
    orders: 'Pedidos',
    invoices: 'Facturas',
    transactions: 'Pagos',
    payments: 'Ajustes de pago',
    config: 'Ajustes y actividad',
    webhooks: 'Webhooks',
  },
  meanings: {
    'catalog.read':
      'Ver tu catálogo: productos, marcas, kits, categorías, colecciones, filtros, banners, sellos y feeds.',
    'catalog.write': 'Crear, cambiar y eliminar todo en tu catálogo.',
    'inventory.read': 'Ver tu stock, también en los productos.',
    'inventory.write': 'Cambiar tu stock.',
    'comments.read':
      'Ver comentarios de productos con el nombre y el correo electrónico de quienes los escribieron.',
    'comments.write': 'Aprobar, responder, cambiar y eliminar comentarios de productos.',
    'customers.read': 'Ver tus clientes y sus direcciones, también en los carritos y los pedidos.',
    'customers.write': 'Crear, cambiar y eliminar clientes y sus direcciones.',
    'carts.read':
      'Ver carritos abiertos y abandonados, con los datos de contacto de los invitados.',
    'carts.write': 'Crear y cambiar carritos, y enviar recordatorios.',
    'orders.read':
      'Ver tus pedidos con sus artículos, direcciones de envío y facturas, y los pagos con el nombre y los documentos de quienes pagaron.',
    'orders.write': 'Crear pedidos, también a partir de carritos, y cambiar su estado.',
    'invoices.read': 'Ver facturas.',
    'invoices.write': 'Emitir, corregir y anular facturas.',
    'transactions.read':
      'Ver los pagos de tu tienda, con el nombre y los documentos de quienes pagaron.',
    'transactions.write': 'Capturar, cancelar y reembolsar pagos.',
    'payments.read': 'Ver tu configuración de pagos.',
    'payments.write': 'Cambiar tu configuración de pagos.',
    'config.read':
      'Ver desde qué cuenta se envían los correos de tu tienda, tus ajustes y quién cambió qué en la tienda.',
    'config.write': 'Reemplazar la cuenta con la que se envían los correos de tu tienda.',
    'webhooks.read': 'Ver los webhooks que creó.',
    'webhooks.write': 'Enviar eventos de tu tienda a direcciones que elija.',
  },
  consequences: {
    'transactions.write':
      'Puede devolver dinero a los compradores o cancelar pagos que esperas recibir.',
    'payments.write': 'Puede decidir adónde va el dinero de tus ventas.',
    'config.write': 'Los correos a tus clientes saldrían de la cuenta que elija.',
    'webhooks.write': 'Datos de tus pedidos y clientes pueden enviarse a otros servidores.',
  },
};
