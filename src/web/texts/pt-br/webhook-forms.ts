import type { Messages } from '../en/messages.ts';

/** The forms that create, edit, rotate and delete webhooks, in Brazilian Portuguese. */
export const webhookFormsInPortuguese: Messages['webhookForms'] = {
  create: 'Criar um webhook',
  edit: 'Alterar',
  editNamed: 'Alterar {name}',
  save: 'Salvar alterações',
  name: 'Nome',
  nameHint: 'Para que ele serve, para você reconhecê-lo depois. Até 100 caracteres.',
  url: 'Endereço',
  example: 'O que chega',
  exampleLead: 'Um POST assinado para cada evento. Qualquer resposta 2xx diz que chegou.',
  urlHint: 'Onde o outro programa recebe os eventos. Começa com https://.',
  events: 'Eventos',
  eventsHint: 'Escolha o que o outro programa deve saber. Ele também vê os dados de cada evento.',
  allEvents: 'Todos os eventos',
  allEventsMeaning: 'Sem os que criarmos depois.',
  someEvents: 'Só estes eventos',
  groups: {
    orders: 'Pedidos e pagamentos',
    invoices: 'Notas fiscais',
    customers: 'Clientes e carrinhos',
    products: 'Produtos',
  },
  hints: {
    'order.paid': 'O pagamento de um pedido foi aprovado.',
    'order.status.updated': 'Um pedido foi enviado, entregue, cancelado e assim por diante.',
    'cart.reminder': 'Um cliente deixou itens no carrinho e foi embora.',
    'product.updated': 'O nome, o preço ou outra coisa de um produto mudou.',
  },
  ordered: 'Manter a ordem',
  orderedHint:
    'Envia um evento por vez, cada um depois que o anterior chegou. É mais lento, e um evento que falha segura todos os que vêm depois.',
  errors: {
    nameMissing: 'Digite um nome.',
    nameLong: 'O nome tem mais de 100 caracteres.',
    urlMissing: 'Digite o endereço.',
    urlWrong:
      'Este endereço não está completo. Ele deve ser parecido com https://example.com/webhooks.',
    urlRefused:
      'Não podemos enviar para este endereço: o destino não é público ou não foi encontrado, ou o endereço não começa com https://.',
    eventsMissing: 'Escolha pelo menos um evento.',
    tooMany: 'Esta loja tem 20 webhooks, o máximo. Exclua um que você não usa.',
    unanswered:
      'Nada mudou: este webhook foi desligado, e o novo endereço não respondeu ao nosso ping. Confira o endereço e tente de novo.',
    tooSoon: 'Nada mudou: esta loja teve um ping há pouco. Tente de novo em dez segundos.',
    appRefused:
      'Nada mudou: o app deste webhook não tem permissão para um destes eventos. Deixe esse evento de fora ou conecte o app de novo.',
  },
  secret: {
    title: 'Sua chave de assinatura',
    label: 'Chave de assinatura',
    firstLead: 'Com esta chave o outro programa confere se um evento vem mesmo de nós.',
    nextLead: 'Passe esta nova chave ao outro programa. Depois volte aqui e conclua a troca.',
    once: 'Copie a chave agora e guarde-a em um lugar seguro. Não podemos mostrá-la de novo.',
    saved: 'Já guardei',
    gone: 'Esta chave já foi mostrada',
    goneLead: 'A chave só aparece uma vez. Se você não a guardou, troque-a por uma nova.',
    back: 'Ir para o webhook',
  },
  rotate: {
    title: 'Trocar a chave',
    question: 'Trocar a chave de {name}?',
    underWayTitle: 'Nova chave',
    underWay: 'A nova chave de {name}',
    lead: 'Você recebe uma nova chave de assinatura. Por um tempo assinamos com as duas, para que nenhum evento se perca enquanto você altera o outro programa.',
    overlapQuestion: 'Por quanto tempo a chave antiga deve continuar valendo?',
    choices: {
      day: '24 horas',
      week: 'Uma semana',
      none: 'Nem um minuto: outra pessoa pode conhecê-la',
    },
    start: 'Criar uma nova chave',
    overlap: 'As duas chaves valem. A partir de {time}, a nova é a principal.',
    finishLead:
      'O outro programa já conhece a nova chave? Então faça dela a principal. A antiga ainda vale pelo mesmo tempo e depois termina.',
    finish: 'Usar a nova chave',
    committed:
      'A nova chave é a principal. A antiga termina em {time}. Você não precisa fazer mais nada.',
    errors: { notChosen: 'Escolha por quanto tempo a chave antiga continua valendo.' },
  },
  remove: {
    title: 'Excluir',
    question: 'Excluir {name}?',
    consequence:
      'Nada mais é enviado a ele, e o que ainda espera nunca será enviado. Não é possível desfazer.',
    instead: 'Para parar só por um tempo, pause o webhook.',
    submit: 'Excluir webhook',
  },
};
