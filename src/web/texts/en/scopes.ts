/** The descriptions of the scopes in English, with the consequences of the dangerous ones. */
export const scopesInEnglish = {
  areas: {
    catalog: 'Catalogue',
    inventory: 'Stock',
    comments: 'Product comments',
    customers: 'Customers',
    carts: 'Carts',
    orders: 'Orders',
    invoices: 'Invoices',
    transactions: 'Payments',
    payments: 'Payment settings',
    config: 'Settings and activity',
    webhooks: 'Webhooks',
  },
  meanings: {
    'catalog.read':
      'See your catalogue: products, brands, kits, categories, collections, filters, banners, seals and feeds.',
    'catalog.write': 'Create, change and delete everything in your catalogue.',
    'inventory.read': 'See your stock, also in products.',
    'inventory.write': 'Change your stock.',
    'comments.read': 'See product comments with the names and e-mail addresses of their authors.',
    'comments.write': 'Approve, answer, change and delete product comments.',
    'customers.read': 'See your customers and their addresses, also in carts and orders.',
    'customers.write': 'Create, change and delete customers and their addresses.',
    'carts.read': 'See open and abandoned carts, with the contact details of guests.',
    'carts.write': 'Create and change carts, and send reminders.',
    'orders.read':
      "See your orders with their items, shipping addresses and invoices, and payments with the payers' names and documents.",
    'orders.write': 'Create orders, also from carts, and change their status.',
    'invoices.read': 'See invoices.',
    'invoices.write': 'Issue, correct and cancel invoices.',
    'transactions.read': "See payments of your store, with the payers' names and documents.",
    'transactions.write': 'Capture, cancel and refund payments.',
    'payments.read': 'See your payment settings.',
    'payments.write': 'Change your payment settings.',
    'config.read':
      "See who your store's e-mails are sent from, your settings, and who changed what in your store.",
    'config.write': "Replace the mail account that your store's e-mails are sent with.",
    'webhooks.read': 'See the webhooks that it has created.',
    'webhooks.write': 'Send events of your store to addresses that it chooses.',
  },
  consequences: {
    'transactions.write': 'It can give money back to buyers or cancel payments that you expect.',
    'payments.write': 'It can decide where the money of your sales goes.',
    'config.write': 'E-mails to your customers would come from an account that it chooses.',
    'webhooks.write': 'Data of your orders and customers may be sent to other servers.',
  },
};
