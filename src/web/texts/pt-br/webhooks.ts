import type { Messages } from '../en/messages.ts';

/** The webhook pages in Brazilian Portuguese. */
export const webhooksInPortuguese: Messages['webhooks'] = {
  title: 'Webhooks',
  lead: 'Um webhook envia na hora os eventos da sua loja a outro programa. Aqui você vê para onde eles vão e se chegam.',
  none: 'Esta loja não tem nenhum webhook. Um app conectado cria os dele. Para um programa seu, crie um aqui.',
  docs: 'Ler como funcionam os webhooks',
  eventBudget:
    'Os eventos de hoje desta loja usaram todo o espaço de um dia. Até a meia-noite (UTC), importações e mudanças de muitos preços de uma vez esperam alguns segundos; o resto continua. A causa costuma ser um programa que muda os mesmos registros repetidamente: veja as entregas recentes.',
  host: 'Vai para',
  events: 'Eventos',
  duplicate:
    '{webhook} envia para o mesmo endereço. Cada evento que os dois têm chega lá duas vezes. Exclua aquele de que você não precisa.',
  hasDuplicate: 'Dois webhooks enviam para este endereço',
  order: 'Ordem',
  ordered: 'Um evento por vez, na ordem',
  state: 'Situação',
  lastSuccess: 'Último sucesso',
  never: 'Ainda não chegou nada',
  failingSince: 'Falha desde',
  nextAttempt: 'Próxima tentativa',
  soon: 'O mais cedo possível',
  madeBy: 'Criado por',
  ownKey: 'Um programa com a chave de API {name}',
  unknownCreator: 'Não registrado',
  created: 'Criado em',
  back: 'Todos os webhooks',
  states: {
    active: 'Ativo',
    failing: 'Falhando',
    paused: 'Pausado',
    disabled: 'Desligado',
    gone: 'Desligado pelo destino',
  },
  stateHints: {
    active: 'Os eventos da sua loja são enviados a ele.',
    failing:
      'O destino não aceita o que enviamos. Continuamos tentando e desligamos o webhook depois de cinco dias sem sucesso.',
    paused: 'Nada é enviado. Os eventos ficam retidos até você retomar o webhook.',
    disabled:
      'Nada chegou durante cinco dias, então paramos de enviar. Os eventos ficam retidos até você retomar o webhook.',
    gone: 'O destino respondeu que deixou de existir (410), então paramos de enviar. Os eventos ficam retidos até você retomar o webhook.',
  },
  notices: 'Avisos',
  noNotices:
    'Nenhum aviso até agora. Avisamos quando nada chega por 24 horas, e de novo depois de 72 horas.',
  noNoticesFailing:
    'Nenhum aviso ainda, porque o webhook não está falhando há 24 horas. Avisamos quando isso acontecer, e de novo depois de 72 horas.',
  noticeKinds: {
    failing_24h: 'Nada chega há 24 horas.',
    failing_72h: 'Nada chega há 72 horas.',
    throttled_24h:
      'Há 24 horas o destino só pede para esperar (429). Continuamos tentando e não desligamos o webhook por isso.',
    disabled: 'Desligado: nada chegou durante cinco dias.',
    gone: 'Desligado: o destino respondeu que deixou de existir.',
    restored:
      'Restauramos um estado anterior da sua loja. Os números de entrega continuam a partir desse estado, e o destino deveria ler de novo os dados dele pela API.',
    other: 'Aconteceu outra coisa.',
  },
  meanings: {
    'order.created': 'Pedido criado',
    'order.paid': 'Pedido aprovado',
    'order.status.updated': 'Status de um pedido atualizado',
    'order.invoice.created': 'Nota fiscal de um pedido criada',
    'order.invoice.updated': 'Nota fiscal de um pedido atualizada',
    'transaction.payment.refused': 'Pagamento de uma transação recusado',
    'cart.reminder': 'Lembrete de carrinho abandonado',
    'customer.created': 'Cliente criado',
    'customer.address.created': 'Endereço de cliente criado',
    'product.created': 'Produto criado',
    'product.updated': 'Produto atualizado',
    'product.deleted': 'Produto excluído',
    'product.inventory.updated': 'Estoque de produto atualizado',
    'catalog.import_completed': 'Importação de produtos encerrada',
    other: 'Um evento que não é mais guardado',
  },
  flash: {
    paused:
      'O webhook foi pausado. Entregas retidas: {count}. Quando você retomar o webhook, escolhe quais são enviadas.',
    resumed: 'O webhook está ativo outra vez: o que esperava por ele é enviado agora.',
    edited: 'Suas alterações foram salvas.',
    rotated: 'A nova chave agora é a principal.',
    deleted: 'O webhook foi excluído. Nada mais é enviado ao destino dele.',
  },
  pause: {
    lead: 'Na pausa, nada mais é enviado ao destino e os eventos ficam retidos até você retomar o webhook.',
    submit: 'Pausar webhook',
  },
  resume: {
    title: 'Retomar',
    question: 'Retomar {name}?',
    pinged:
      'Primeiro enviamos um ping para {host}. O webhook só volta a ser ativo se o ping der certo dentro do prazo.',
    appDisconnected:
      '{app} não está mais conectado a esta loja, por isso o webhook dele não pode ser retomado. Conecte o app de novo primeiro.',
    appNotAllowed:
      '{app} está conectado a esta loja, mas sem permissão para todos os eventos deste webhook, por isso ele não pode ser retomado. Conecte o app de novo com essas permissões, ou faça com que ele deixe de assinar esses eventos.',
    held: 'Entregas retidas: {count}.',
    heldMany: 'Entregas retidas: {count} ou mais.',
    choose: 'Quais entregas retidas devem ser enviadas?',
    choices: {
      '72h': 'As das últimas 72 horas',
      all: 'Todas',
      none: 'Nenhuma, só os eventos novos',
    },
    pace: 'Até 500 são enviadas na hora e depois 500 por minuto. As outras ainda podem ser enviadas de novo, uma por uma.',
    back: 'Voltar ao webhook',
    submit: 'Retomar webhook',
    errors: {
      notChosen: 'Escolha quais entregas enviar.',
      unanswered: 'O ping falhou: {answer} Nada mudou.',
      tooSoon: 'Ainda não: esta loja teve um ping há pouco. Espere dez segundos. Nada mudou.',
      urlRefused:
        'O endereço do webhook não pode ser usado agora: o destino não é público ou não foi encontrado. Nada mudou.',
    },
  },
  ping: {
    lead: 'Um ping é uma mensagem assinada e sem conteúdo que mostra se o destino responde: um a cada 10 segundos para cada loja. Ele não entra no registro.',
    submit: 'Enviar ping',
    delivered: 'O ping chegou: {answer}',
    released: 'O que estava esperando por este webhook é enviado agora.',
    failed: 'O ping não chegou: {answer}',
    urlRefused:
      'Nenhum ping foi enviado: o endereço do webhook não pode ser usado, porque o destino não é público ou não foi encontrado.',
    tooSoon: 'Nenhum ping foi enviado, porque esta loja teve um há pouco. Espere dez segundos.',
  },
};
