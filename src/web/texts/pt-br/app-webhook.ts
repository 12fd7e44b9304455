import type { Messages } from '../en/messages.ts';

/** The webhook of an app itself, in Brazilian Portuguese. */
export const appWebhookInPortuguese: Messages['appWebhook'] = {
  open: 'Webhook do app',
  title: 'Webhook de {app}',
  lead: 'Ele recebe o que diz respeito ao app como um todo, mesmo depois que uma loja o desconectou. Cada evento é assinado como os de qualquer webhook.',
  events: 'Eventos',
  hints: {
    'app.connected': 'Uma loja conectou o app.',
    'app.disconnected': 'A conexão do app com uma loja terminou.',
    'customer.anonymized':
      'Uma loja anonimizou ou excluiu um cliente que o app pode ter visto. Apague o que você guarda dele.',
    'store.closed': 'Uma loja à qual o app está ou esteve conectado foi fechada.',
    'store.renamed':
      'Uma loja à qual o app está conectado tem outro identificador. O antigo funciona por um ano.',
  },
  url: 'Endereço',
  urlHint: 'Onde o seu programa recebe os eventos. Começa com https://.',
  create: 'Configurar o webhook',
  save: 'Salvar',
  state: 'Situação',
  active: 'Ativo',
  failing: 'Com falhas',
  off: 'Desativado',
  offHint:
    'Ele não aceitou eventos durante 72 horas ou respondeu 410. Os eventos esperam. Salve o endereço para ativá-lo de novo.',
  rotate: 'Trocar a chave',
  rotateQuestion: 'Trocar a chave do webhook de {app}?',
  rotateLead:
    'Você recebe uma nova chave de assinatura, que só aparece uma vez. Durante 48 horas assinamos com as duas, para que nenhum evento se perca enquanto você altera o seu programa.',
  rotating: 'Duas chaves valem até {time}. Depois disso, só a nova.',
  remove: 'Remover',
  removeQuestion: 'Remover o webhook de {app}?',
  removeLead: 'Nada mais será enviado a ele. As entregas em espera e a lista serão excluídas.',
  deliveries: 'Últimas entregas',
  caption: 'Últimas entregas, da mais nova à mais antiga',
  none: 'Nenhum evento ainda. Conecte ou desconecte uma loja de teste para causar um.',
  columns: {
    event: 'Evento',
    at: 'Quando',
    state: 'Situação',
    attempts: 'Tentativas',
  },
  states: {
    delivered: 'Entregue',
    waiting: 'Em espera',
    givenUp: 'Abandonado',
  },
  flash: {
    saved: 'O webhook foi salvo.',
    removed: 'O webhook foi removido.',
  },
};
