import type { storesInEnglish } from '../en/stores.ts';

/** The pages of a store and the list of stores, in Brazilian Portuguese. */
export const storesInPortuguese: typeof storesInEnglish = {
  page: {
    name: 'Nome',
    alias: 'Identificador',
    zone: 'Fuso horário',
    role: 'Seu papel',
    factor: 'Verificação em duas etapas',
    factorRequired: 'Obrigatória para todos os membros',
    factorOptional: 'Cada membro decide',
    eventsToday: 'Eventos hoje',
    eventsOfBudget: '{bytes} de {budget}',
    active: 'Ativa',
    test: 'Loja de teste',
    edit: 'Alterar nome ou fuso horário',
    requireFactor: 'Exigir a verificação em duas etapas',
    stopRequiringFactor: 'Deixar de exigir',
    exportLead:
      'Receba tudo o que esta loja tem em um arquivo, com uma lista para cada tipo de registro.',
    exportAsk: 'Exportar os dados',
    exportWaiting:
      'A exportação começa em até um minuto. Avisamos por e-mail quando estiver pronta.',
    exportRunning:
      'A exportação está sendo feita: {done} de {total}. Avisamos por e-mail quando estiver pronta.',
    exportFailed: 'A última exportação falhou. Peça de novo.',
    exportReady: 'Pronta desde {at}. O arquivo fica aqui até {until}.',
    download: 'Baixar a exportação',
    closingLead:
      'Uma loja fechada deixa de funcionar na hora. Os dados dela são apagados depois de 30 dias.',
    close: 'Fechar esta loja',
    saved: 'O nome e o fuso horário foram salvos: as páginas e os e-mails da loja já os usam.',
    exportAsked:
      'A exportação começou. Você recebe um e-mail quando ela estiver pronta para baixar.',
    factorChanged: 'Salvo. Vale a partir da próxima página que um membro abrir.',
    closed:
      'A loja está fechada. Você pode reabri-la aqui por 30 dias; depois os dados são apagados.',
    reopened: 'A loja está aberta de novo, e o que esperava continua. Nada será apagado.',
  },
  sales: {
    orders: 'Pedidos, últimos 30 dias',
    revenue: 'Faturamento, últimos 30 dias',
    paidOrders: 'Pedidos pagos',
    total: 'Total em 30 dias',
    date: 'Dia',
    none: 'Nenhum pedido foi pago nestes 30 dias. Importe produtos para ter o que vender.',
  },
  today: {
    orders: 'Últimos pedidos',
    noOrders: 'Nenhum pedido ainda. O primeiro aparece aqui.',
    order: 'Pedido',
    status: 'Situação',
    total: 'Valor',
    at: 'Quando',
    low: 'Quase no fim',
    product: 'Produto',
    available: 'Restam',
    statuses: {
      waiting_payment: 'Aguarda pagamento',
      paid: 'Pago',
      handling_products: 'Em preparação',
      on_carriage: 'A caminho',
      delivered: 'Entregue',
      cancelled: 'Cancelado',
      refused: 'Pagamento recusado',
      invoiced: 'Faturado',
      shipment_exception: 'Problema na entrega',
      ready_for_shipping: 'Pronto para envio',
    },
  },
  edit: {
    title: 'Alterar nome ou fuso horário de {store}',
    aliasStays: 'O identificador não pode ser alterado aqui.',
    name: 'Nome da loja',
    nameMissing: 'Digite um nome.',
    nameInvalid: 'Digite um nome de até 120 caracteres, em uma linha.',
    zone: 'Fuso horário',
    zoneHint: 'Para os horários nas páginas e respostas, e para saber quando um dia começa.',
    zoneInvalid: 'Escolha um fuso horário da lista.',
    save: 'Salvar',
  },
  factor: {
    question: 'Exigir a verificação em duas etapas de todos os membros?',
    consequence:
      'Membros sem verificação em duas etapas não abrem as páginas desta loja até a configurarem. Até lá, as chaves de API deles e os apps que conectaram também param aqui. Ninguém sai da conta.',
    submit: 'Exigir',
    ownFirst:
      'Configure primeiro a sua verificação em duas etapas. Depois você pode exigi-la dos outros.',
    offQuestion: 'Deixar de exigir a verificação em duas etapas?',
    offConsequence: 'Os membros poderão abrir esta loja só com a senha.',
    offSubmit: 'Deixar de exigir',
  },
  export: {
    question: 'Exportar todos os dados de {store}?',
    consequence:
      'O arquivo tem dados pessoais dos seus clientes. Guarde-o em lugar seguro. Você pode baixá-lo por sete dias.',
    submit: 'Exportar',
  },
  close: {
    question: 'Fechar {store}?',
    consequence:
      'A loja deixa de funcionar na hora: ninguém mais pode usá-la, apps e programas perdem o acesso, nenhuma mensagem é enviada e nenhum pagamento é capturado.',
    erased: 'Em {date}, todos os dados dela são apagados. Até lá você pode abri-la de novo.',
    alias: 'Digite o identificador da loja ({alias}) para confirmar',
    aliasWrong: 'Este não é o identificador da loja. Digite {alias}.',
    reason: 'Fechada pelo dono.',
    submit: 'Fechar a loja',
  },
  reopen: {
    question: 'Abrir {store} de novo?',
    consequence: 'A loja volta a funcionar como antes, e o que esperava continua. Nada é apagado.',
    submit: 'Abrir de novo',
    tooLate: 'Os dados desta loja estão sendo apagados, por isso ela não pode ser aberta de novo.',
    byServiceTitle: 'O serviço fechou esta loja',
    byService: 'Só o serviço pode reabri-la. Escreva para nós se achar que é um engano.',
    toStore: 'Ir para a loja',
  },
  list: {
    inactive: 'Lojas inativas',
    inactiveLead: 'Ninguém pode usar estas lojas, e elas não enviam nada.',
    reason: 'Motivo: {reason}',
    since: 'Inativa desde {date}.',
    erasedOn: 'Todos os dados são apagados em {date}.',
    reopen: 'Abrir de novo',
    closed: 'Fechada',
    deactivated: 'Desativada',
    closedByService: 'O serviço fechou esta loja. Só o serviço pode reabri-la: escreva para nós.',
    deactivatedByService:
      'O serviço desativou esta loja. Escreva para nós se quiser abrir de novo.',
    staysDeactivated:
      'O serviço também desativou esta loja. Ela continua assim quando for reaberta.',
    locked: 'Precisa da verificação em duas etapas',
    lockedLead: 'Esta loja abre depois que você confirmar um código da verificação em duas etapas.',
    open: 'Abrir {store}',
    make: 'Criar uma loja',
    setUpFactor: 'Proteja sua conta com a verificação em duas etapas',
    partnerLead: 'Cadastre um app e experimente-o em uma loja de teste.',
  },
  create: {
    title: 'Criar uma loja',
    name: 'Nome da loja',
    alias: 'Identificador',
    aliasHint:
      'O nome curto nos endereços: de 3 a 63 letras minúsculas, números e hifens. Ele não muda depois.',
    aliasInvalid:
      'Use de 3 a 63 letras minúsculas, números e hifens simples. Alguns nomes são reservados.',
    aliasTaken: 'Outra loja tem ou teve este identificador. Escolha outro.',
    noRoom: 'Não conseguimos criar uma loja neste momento. Tente mais tarde ou escreva para nós.',
    tooMany:
      'Você tem {count} lojas, o máximo. Uma loja fechada conta até os dados serem apagados.',
    tooManyToday: 'Você criou {count} lojas em um dia, o máximo. Tente de novo em {time}.',
    submit: 'Criar a loja',
    made: 'Sua loja está pronta.',
  },
};
