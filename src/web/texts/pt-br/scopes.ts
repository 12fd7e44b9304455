import type { Messages } from '../en/messages.ts';

/** The descriptions of the scopes in Brazilian Portuguese. */
export const scopesInPortuguese: Messages['scopes'] = {
  areas: {
    catalog: 'Catálogo',
    inventory: 'Estoque',
    comments: 'Comentários de produtos',
    customers: 'Clientes',
    carts: 'Carrinhos',
    orders: 'Pedidos',
    invoices: 'Notas fiscais',
    transactions: 'Pagamentos',
    payments: 'Configurações de pagamento',
    config: 'Configurações e atividade',
    webhooks: 'Webhooks',
  },
  meanings: {
    'catalog.read':
      'Ver seu catálogo: produtos, marcas, kits, categorias, coleções, filtros, banners, selos e feeds.',
    'catalog.write': 'Criar, alterar e excluir tudo no seu catálogo.',
    'inventory.read': 'Ver seu estoque, também nos produtos.',
    'inventory.write': 'Alterar seu estoque.',
    'comments.read': 'Ver comentários de produtos com o nome e o e-mail de quem escreveu.',
    'comments.write': 'Aprovar, responder, alterar e excluir comentários de produtos.',
    'customers.read': 'Ver seus clientes e os endereços deles, também em carrinhos e pedidos.',
    'customers.write': 'Criar, alterar e excluir clientes e os endereços deles.',
    'carts.read':
      'Ver carrinhos abertos e abandonados, com os dados de contato de quem compra sem cadastro.',
    'carts.write': 'Criar e alterar carrinhos e enviar lembretes.',
    'orders.read':
      'Ver seus pedidos com itens, endereços de entrega e notas fiscais, e os pagamentos com o nome e os documentos de quem pagou.',
    'orders.write': 'Criar pedidos, também a partir de carrinhos, e mudar o status deles.',
    'invoices.read': 'Ver notas fiscais.',
    'invoices.write': 'Emitir, corrigir e cancelar notas fiscais.',
    'transactions.read': 'Ver os pagamentos da sua loja, com o nome e os documentos de quem pagou.',
    'transactions.write': 'Capturar, cancelar e estornar pagamentos.',
    'payments.read': 'Ver suas configurações de pagamento.',
    'payments.write': 'Alterar suas configurações de pagamento.',
    'config.read':
      'Ver de que conta saem os e-mails da sua loja, suas configurações e quem alterou o quê na loja.',
    'config.write': 'Trocar a conta que envia os e-mails da sua loja.',
    'webhooks.read': 'Ver os webhooks que criou.',
    'webhooks.write': 'Enviar eventos da sua loja para endereços que escolher.',
  },
  consequences: {
    'transactions.write':
      'Ele pode devolver dinheiro a compradores ou cancelar pagamentos que você espera receber.',
    'payments.write': 'Ele pode decidir para onde vai o dinheiro das suas vendas.',
    'config.write': 'Seus clientes receberiam e-mails da conta que ele escolher.',
    'webhooks.write': 'Dados de pedidos e clientes podem ser enviados para outros servidores.',
  },
};
