import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Operations of orders, invoices, transactions and payments. */
export const ordersOperationTexts: DocumentTexts['operations'] = {
  listOrders: {
    en: {
      summary: 'List orders',
      description:
        'Reads the orders of the store. To follow changes, use webhooks or the feed of events instead of reading all again.',
    },
    'pt-BR': 'Listar pedidos',
    es: 'Listar pedidos',
  },
  findOrders: {
    en: {
      summary: 'Find orders by number or customer',
      description:
        'Looks up orders by what a person knows of them: the number, or the name or e-mail address of the customer. One parameter takes all three.',
    },
    'pt-BR': 'Encontrar pedidos por número ou cliente',
    es: 'Buscar pedidos por número o cliente',
  },
  showSalesSummary: {
    en: {
      summary: 'Sum up the sales of a period',
      description:
        'Adds up orders, units and revenue of a period, day by day in the time zone of the store, by product and by customer. Replaces reading all orders.',
    },
    'pt-BR': 'Resumir as vendas de um período',
    es: 'Resumir las ventas de un período',
  },
  createOrder: {
    en: {
      summary: 'Create an order',
      description:
        'Places an order without a cart, for instance one from a marketplace, with its new customer if you send one. Reserves the stock, or takes it if the order is paid. Sends order.created, and order.paid if it is paid.',
    },
    'pt-BR': 'Criar um pedido',
    es: 'Crear un pedido',
  },
  showOrder: {
    en: {
      summary: 'Show an order',
      description:
        'Reads one order; ask for its items, payments and invoices in the same call with include.',
    },
    'pt-BR': 'Ver um pedido',
    es: 'Ver un pedido',
  },
  updateOrder: {
    en: {
      summary: 'Change an order',
      description:
        'Moves an order to its next status, or reports its shipment. Only the statuses in desire_status are possible; each move sends order.status.updated.',
    },
    'pt-BR': 'Alterar um pedido',
    es: 'Cambiar un pedido',
  },
  listOrderStates: {
    en: {
      summary: 'List order statuses',
      description:
        'Reads the statuses that orders can have, and which may follow which. They are the same in every store.',
    },
    'pt-BR': 'Listar os status de pedido',
    es: 'Listar los estados de pedido',
  },
  listOrderHistory: {
    en: {
      summary: 'List the history of an order',
      description: 'Reads each status that the order has had, with its time.',
    },
    'pt-BR': 'Listar o histórico de um pedido',
    es: 'Listar el historial de un pedido',
  },
  listOrderItems: {
    en: {
      summary: 'List the items of an order',
      description:
        'Reads what was sold, as it was when sold: later changes of the catalogue do not show.',
    },
    'pt-BR': 'Listar os itens de um pedido',
    es: 'Listar los artículos de un pedido',
  },
  listOrderAddresses: {
    en: {
      summary: 'List the addresses of an order',
      description: 'Reads where the order is sent: one address, a copy from the time of the sale.',
    },
    'pt-BR': 'Listar os endereços de um pedido',
    es: 'Listar las direcciones de un pedido',
  },
  listOrderTransactions: {
    en: {
      summary: 'List the transactions of an order',
      description: 'Reads each attempt to pay the order, refused ones too.',
    },
    'pt-BR': 'Listar as transações de um pedido',
    es: 'Listar las transacciones de un pedido',
  },
  createOrderTransaction: {
    en: {
      summary: 'Pay an order',
      description:
        'Starts a payment of an order, or of a part of it, that waits for payment or was refused. A pix or billet that is not paid in time is cancelled by itself.',
    },
    'pt-BR': 'Pagar um pedido',
    es: 'Pagar un pedido',
  },
  listOrderInvoices: {
    en: {
      summary: 'List the invoices of an order',
      description: 'Reads the fiscal documents of one order, cancelled ones too.',
    },
    'pt-BR': 'Listar as notas fiscais de um pedido',
    es: 'Listar las facturas de un pedido',
  },
  createOrderInvoice: {
    en: {
      summary: 'Add an invoice to an order',
      description:
        'Records a fiscal document that you issued. The first one moves a paid order to invoiced. Sends order.invoice.created.',
    },
    'pt-BR': 'Adicionar uma nota fiscal a um pedido',
    es: 'Añadir una factura a un pedido',
  },
  showOrderInvoice: {
    en: {
      summary: 'Show an invoice',
      description: 'Reads one fiscal document of an order, for instance to link to it.',
    },
    'pt-BR': 'Ver uma nota fiscal',
    es: 'Ver una factura',
  },
  updateOrderInvoice: {
    en: {
      summary: 'Correct or cancel an invoice',
      description:
        'Records a correction, or the cancellation with status cancelled. Sends order.invoice.updated. There is no deletion, because it is a fiscal document.',
    },
    'pt-BR': 'Corrigir ou cancelar uma nota fiscal',
    es: 'Corregir o anular una factura',
  },
  listTransactions: {
    en: {
      summary: 'List transactions',
      description: 'Reads the payments of all orders, for instance to compare them with your bank.',
    },
    'pt-BR': 'Listar transações',
    es: 'Listar transacciones',
  },
  showTransaction: {
    en: {
      summary: 'Show a transaction',
      description: 'Reads one payment in the envelope of a list: take the first record of data.',
    },
    'pt-BR': 'Ver uma transação',
    es: 'Ver una transacción',
  },
  captureTransaction: {
    en: {
      summary: 'Capture a transaction',
      description:
        'Takes the money that a card authorized; with the whole total of the order, it becomes paid. With auto_capture of the contract this happens by itself later.',
    },
    'pt-BR': 'Capturar uma transação',
    es: 'Capturar una transacción',
  },
  cancelTransaction: {
    en: {
      summary: 'Cancel or refund a transaction',
      description:
        'Releases what was authorized, or gives back what was captured. When no other payment is left, the order is cancelled too.',
    },
    'pt-BR': 'Cancelar ou estornar uma transação',
    es: 'Cancelar o reembolsar una transacción',
  },
  simulateTransaction: {
    en: {
      summary: 'Simulate the outcome of a payment',
      description:
        'Plays the part of the bank in a test store: authorizes, pays or refuses. Use it to try what your app does with order.paid and transaction.payment.refused.',
    },
    'pt-BR': 'Simular o resultado de um pagamento',
    es: 'Simular el resultado de un pago',
  },
  advanceTestClock: {
    en: {
      summary: 'Advance the test clock',
      description:
        'Lets time pass in a test store: idle carts get their reminder, cards are captured, unpaid orders end, and webhooks are tried again. Use it to see in seconds what takes hours or days.',
    },
    'pt-BR': 'Adiantar o relógio de teste',
    es: 'Adelantar el reloj de prueba',
  },
  listPayments: {
    en: {
      summary: 'List payment types',
      description:
        'Reads the ways to pay, and which are active. Their ids are the payment_id of orders.',
    },
    'pt-BR': 'Listar formas de pagamento',
    es: 'Listar formas de pago',
  },
  showPaymentConfiguration: {
    en: {
      summary: 'Show the configuration of a payment type',
      description:
        'Reads how the store accepts one payment type: its contract, deadlines and installments.',
    },
    'pt-BR': 'Ver a configuração de uma forma de pagamento',
    es: 'Ver la configuración de una forma de pago',
  },
  updatePaymentConfiguration: {
    en: {
      summary: 'Change the configuration of a payment type',
      description:
        'Switches a payment type on or off, and sets its deadlines and installments. New payments follow it; those under way do not change.',
    },
    'pt-BR': 'Alterar a configuração de uma forma de pagamento',
    es: 'Cambiar la configuración de una forma de pago',
  },
};
