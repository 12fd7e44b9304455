import type { Words } from './en.ts';

/** The pages about webhooks in Brazilian Portuguese. */
export const webhooksInPortuguese: Words['webhooks'] = {
  title: 'Avisos (webhooks)',
  lead: 'Um webhook avisa na hora outro programa do que acontece na sua loja. Aqui você vê quem é avisado de quê e se o aviso chega.',
  none: 'Esta loja não tem nenhum webhook. Um aplicativo que você conecta cria os dele; para um programa seu, crie um pela API.',
  docs: 'Ler como se cria um webhook',
  host: 'Vai para',
  events: 'Avisa de',
  state: 'Situação',
  lastOk: 'Último sucesso',
  never: 'Ainda não chegou nada',
  failingSince: 'Falha desde',
  nextAttempt: 'Próxima tentativa',
  soon: 'O mais cedo possível',
  madeBy: 'Criado por',
  ownKey: 'Um programa com uma chave de API',
  created: 'Criado em',
  look: 'Ver entregas',
  lookAt: 'Ver as entregas de {name}',
  back: 'Todos os webhooks',
  states: {
    active: 'Ativo',
    failing: 'Falhando',
    paused: 'Pausado',
    disabled: 'Desligado',
    gone: 'Desligado pelo destino',
  },
  stateHints: {
    active: 'O que acontece na sua loja é enviado a ele.',
    failing:
      'O destino não aceita o que enviamos. Continuamos tentando e desligamos o webhook depois de cinco dias sem sucesso.',
    paused: 'Nada é enviado. O que acontece enquanto isso fica retido até você retomar.',
    disabled:
      'Nada chegou durante cinco dias, então paramos de enviar. O que acontece enquanto isso fica retido até você retomar.',
    gone: 'O destino respondeu que deixou de existir (410), então paramos de enviar. O que acontece enquanto isso fica retido até você retomar.',
  },
  notices: 'O que avisamos a você',
  noNotices: 'Nada até agora. Um alerta aparece aqui depois de 24 e de 72 horas sem sucesso.',
  noticeKinds: {
    failing_24h: 'Nada chega há 24 horas.',
    failing_72h: 'Nada chega há 72 horas.',
    slowed_24h:
      'Há 24 horas o destino só pede para esperar (429). Continuamos tentando e não o desligamos por isso.',
    disabled: 'Desligado: nada chegou durante cinco dias.',
    gone: 'Desligado: o destino respondeu que deixou de existir.',
    restored:
      'Nossos registros voltaram a um momento anterior. Os avisos têm uma época nova, e o destino deveria ler de novo o que guarda.',
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
    other: 'Um evento que não é mais guardado',
  },
  news: {
    resent: 'A entrega vai ser enviada outra vez, com um número próprio.',
    resentHeld: 'A entrega está na lista outra vez. Ela sai quando você retomar o webhook.',
    paused: 'O webhook foi pausado.',
    resumed: 'O webhook está ativo outra vez.',
  },
  pause: {
    title: 'Pausar',
    question: 'Pausar {name}?',
    consequence:
      'Nada mais é enviado ao destino, que deixa de saber de novos pedidos, pagamentos ou estoque.',
    later:
      'O que acontece enquanto isso fica retido. Quando você retomar o webhook, escolhe o que sai.',
    submit: 'Pausar webhook',
  },
  resume: {
    title: 'Retomar',
    question: 'Retomar {name}?',
    pinged:
      'Primeiro enviamos um ping para {host}. O webhook só volta a ser ativo se o ping for respondido com sucesso dentro do prazo.',
    parted:
      '{app} não está mais conectado a esta loja, por isso o webhook dele não pode ser retomado. Conecte o aplicativo de novo primeiro.',
    held: 'Entregas retidas agora: {count}.',
    heldMany: 'Entregas retidas agora: {count} ou mais.',
    choose: 'O que sai do que está retido?',
    choices: {
      '72h': 'O das últimas 72 horas',
      all: 'Tudo',
      none: 'Nada, só o que acontecer a partir de agora',
    },
    pace: 'Até 500 saem na hora e depois 500 por minuto. O que continuar retido ainda pode ser enviado de novo, um por um.',
    submit: 'Retomar webhook',
    faults: {
      notChosen: 'Escolha o que sai.',
      unanswered: 'O ping não foi respondido com sucesso: {answer} Nada mudou.',
      tooSoon: 'Ainda não: esta loja teve um ping há pouco. Espere dez segundos. Nada mudou.',
      urlRefused:
        'O endereço do webhook não pode receber agora: o destino não é público ou não foi encontrado. Nada mudou.',
    },
  },
  ping: {
    title: 'Enviar um ping',
    lead: 'Um ping é uma mensagem assinada e sem conteúdo. Ele mostra se {host} responde; não muda nada na sua loja nem entra no registro.',
    submit: 'Enviar ping',
    again: 'Enviar outro ping',
    back: 'Voltar ao webhook',
    wait: 'Um ping a cada 10 segundos para cada loja.',
    delivered: 'O ping chegou: {answer}',
    failed: 'O ping não chegou: {answer}',
    urlRefused:
      'Nenhum ping foi enviado: o endereço do webhook não pode receber, porque o destino não é público ou não foi encontrado.',
    tooSoon: 'Nenhum ping foi enviado, porque esta loja teve um há pouco. Espere dez segundos.',
  },
};
