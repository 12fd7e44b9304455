import type { Messages } from '../en/messages.ts';

/** The powers of an API key, in Brazilian Portuguese. */
export const apiKeysInPortuguese: Messages['apiKeys'] = {
  stores: 'Para quais lojas?',
  allStores: 'Todas as minhas lojas, inclusive as futuras',
  chosenStores: 'Só as lojas que eu marcar',
  powers: 'O que ela pode fazer?',
  powersHint: 'Numa loja que você só pode ver, a chave também só lê.',
  onlyReads: 'Você pode ver suas lojas, mas não alterar nada; por isso a chave só lê.',
  presets: {
    read: 'Só ler: tudo o que eu posso ver',
    stock: 'Estoque e preços: alterar o estoque e o catálogo, com os preços',
    orders: 'Pedidos: alterar pedidos e notas fiscais, ler clientes, catálogo e estoque',
    all: 'Tudo o que eu posso fazer',
  },
  chosenPowers: 'Só o que eu escolher aqui',
  areaPowers: { none: 'Nada', read: 'Ler', write: 'Ler e alterar' },
  expiry: 'Por quanto tempo ela vale?',
  expiries: {
    '30': '30 dias',
    '90': '90 dias',
    '365': 'Um ano',
    never: 'Até eu revogar',
  },
  reads: 'Leituras',
  nearReads:
    'Leituras de catálogo, estoque e configuração podem vir de uma cópia próxima, que pode estar alguns segundos atrasada.',
  operators: 'Para operadores',
  forOperators: 'A chave também pode fazer o que os operadores do serviço fazem.',
  errors: {
    nameMissing: 'Digite um nome.',
    nameLong: 'O nome tem mais de 80 caracteres.',
    storesNone: 'Escolha todas as suas lojas ou marque pelo menos uma.',
    storesBoth: 'Você marcou lojas e também escolheu todas. Fique com uma das opções.',
    powersNone: 'Escolha um conjunto fixo ou pelo menos uma área.',
    powersBoth: 'Você escolheu áreas e também um conjunto fixo. Fique com uma das opções.',
    expiryMissing: 'Escolha por quanto tempo a chave vale.',
    tooMany: 'Você tem 20 chaves de API, o máximo. Revogue uma que você não usa.',
  },
  limits: 'O que ela pode fazer',
  everyStore: 'Todas as suas lojas',
  everything: 'Tudo o que você pode fazer',
  leftStore: 'Uma loja da qual você saiu',
  ends: 'Vale até',
  noEnd: 'Sem prazo',
  expired: 'Vencida',
};
