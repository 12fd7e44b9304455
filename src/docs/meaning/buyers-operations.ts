import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Operations of customers, addresses and carts. */
export const buyersOperationTexts: DocumentTexts['operations'] = {
  listCustomers: {
    en: {
      summary: 'List customers',
      description:
        'Reads the customers of the store. q finds a name or an e-mail address; city and state, where customers live.',
    },
    'pt-BR': 'Listar clientes',
    es: 'Listar clientes',
  },
  createCustomer: {
    en: {
      summary: 'Create a customer',
      description: 'Adds a buyer, for instance from your own system. Sends customer.created.',
    },
    'pt-BR': 'Criar um cliente',
    es: 'Crear un cliente',
  },
  showCustomer: {
    en: {
      summary: 'Show a customer',
      description: 'Reads one customer; ask for addresses in the same call with include.',
    },
    'pt-BR': 'Ver um cliente',
    es: 'Ver un cliente',
  },
  updateCustomer: {
    en: {
      summary: 'Change a customer',
      description:
        'Changes what you send, such as the phone number. Orders and carts show the change; no event is sent.',
    },
    'pt-BR': 'Alterar um cliente',
    es: 'Cambiar un cliente',
  },
  deleteCustomer: {
    en: {
      summary: 'Delete or anonymise a customer',
      description:
        'Removes a customer without orders for good. Use it to honour a request for erasure.',
    },
    'pt-BR': 'Excluir ou anonimizar um cliente',
    es: 'Eliminar o anonimizar un cliente',
  },
  exportCustomer: {
    en: {
      summary: 'Export a customer',
      description:
        'Reads everything that the store keeps about a customer. Use it to honour a request for their data.',
    },
    'pt-BR': 'Exportar um cliente',
    es: 'Exportar un cliente',
  },
  listCustomerAddresses: {
    en: {
      summary: 'List the addresses of a customer',
      description: 'Reads the shipping addresses of one customer.',
    },
    'pt-BR': 'Listar os endereços de um cliente',
    es: 'Listar las direcciones de un cliente',
  },
  createCustomerAddress: {
    en: {
      summary: 'Add an address to a customer',
      description:
        'Stores a shipping address, so that orders can name it. Sends customer.address.created.',
    },
    'pt-BR': 'Adicionar um endereço a um cliente',
    es: 'Añadir una dirección a un cliente',
  },
  showCustomerAddress: {
    en: {
      summary: 'Show an address',
      description: 'Reads one address of a customer as it is now; orders have copies of their own.',
    },
    'pt-BR': 'Ver um endereço',
    es: 'Ver una dirección',
  },
  updateCustomerAddress: {
    en: {
      summary: 'Change an address',
      description: 'Changes what you send. Orders that were placed keep the address as it was.',
    },
    'pt-BR': 'Alterar um endereço',
    es: 'Cambiar una dirección',
  },
  deleteCustomerAddress: {
    en: {
      summary: 'Delete an address',
      description: 'Removes an address for good, for instance when the customer has moved.',
    },
    'pt-BR': 'Excluir um endereço',
    es: 'Eliminar una dirección',
  },
  listCarts: {
    en: {
      summary: 'List carts',
      description: 'Reads the carts of the store. Filter by status=abandoned to win buyers back.',
    },
    'pt-BR': 'Listar carrinhos',
    es: 'Listar carritos',
  },
  createCart: {
    en: {
      summary: 'Create a cart',
      description:
        'Starts a cart for a customer or a guest. It reserves no stock and follows current prices. Left idle, it is reminded of.',
    },
    'pt-BR': 'Criar um carrinho',
    es: 'Crear un carrito',
  },
  showCart: {
    en: {
      summary: 'Show a cart',
      description: 'Reads one cart at current prices; ask for items in the same call with include.',
    },
    'pt-BR': 'Ver um carrinho',
    es: 'Ver un carrito',
  },
  updateCart: {
    en: {
      summary: 'Change a cart',
      description:
        'Changes items, shipping or owner. Any change counts as a sign of life of the buyer.',
    },
    'pt-BR': 'Alterar um carrinho',
    es: 'Cambiar un carrito',
  },
  deleteCart: {
    en: {
      summary: 'Delete a cart',
      description:
        'Removes a cart for good, without an event. The buyer is no longer reminded of it.',
    },
    'pt-BR': 'Excluir um carrinho',
    es: 'Eliminar un carrito',
  },
  orderCart: {
    en: {
      summary: 'Turn a cart into an order',
      description:
        'Places the order: fixes the prices, reserves the stock and starts the payment. Sends order.created, and product.inventory.updated for each stock that changes.',
    },
    'pt-BR': 'Transformar um carrinho em pedido',
    es: 'Convertir un carrito en pedido',
  },
  remindOfCart: {
    en: {
      summary: 'Send a cart reminder',
      description:
        'Has webhooks of cart.reminder ask the buyer to come back. The service sends such reminders by itself too, when a cart is idle and a day later.',
    },
    'pt-BR': 'Enviar um lembrete de carrinho',
    es: 'Enviar un recordatorio de carrito',
  },
};
