import type { Messages } from '../en/messages.ts';

/** The actions of operators, in Brazilian Portuguese. */
export const operatorActionsInPortuguese: Messages['operator']['actions'] = {
  deactivateStore: {
    link: 'Desativar',
    question: 'Desativar {name}?',
    lead: 'Ninguém consegue abrir a loja. Nada é enviado, capturado ou lembrado até que você a ative de novo. O dono e os gerentes leem o motivo.',
  },
  reactivateStore: {
    link: 'Ativar de novo',
    question: 'Ativar {name} de novo?',
    lead: 'O trabalho em espera continua na hora. Uma loja fechada continua fechada.',
  },
  closeStore: {
    link: 'Encerrar',
    question: 'Encerrar {name}?',
    lead: 'A loja fica inativa na hora. Os dados são apagados depois de 30 dias; até lá os operadores podem reabri-la, mas o dono não.',
  },
  reopenStore: {
    link: 'Reabrir',
    question: 'Reabrir {name}?',
    lead: 'Também vale para uma loja que o serviço fechou. Nada é apagado, e o que esperava continua na hora, a menos que a loja também esteja desativada.',
  },
  renameStore: {
    link: 'Alterar o identificador',
    question: 'Alterar o identificador de {name}?',
    lead: 'Os endereços com o identificador antigo param de funcionar na hora, e outra loja pode usá-lo. Avise o dono antes.',
  },
  setStoreLimits: {
    link: 'Definir os limites',
    question: 'Definir os limites de {name}?',
    lead: 'A loja pode registrar esta quantidade de bytes de eventos por dia. Além dela, suas importações e mudanças de muitos preços vão em turnos; o resto continua. Todos os que a chamam podem enviar juntos esta quantidade de requisições por minuto.',
  },
  exportStore: {
    link: 'Exportar os dados',
    question: 'Exportar os dados de {name}?',
    lead: 'Tudo o que a loja tem é gravado em arquivos. O dono recebe um e-mail quando estiverem prontos.',
  },
  eraseStore: {
    link: 'Apagar os dados',
    question: 'Pedir que os dados de {name} sejam apagados para sempre?',
    lead: 'Uma loja fechada há 30 dias é apagada em minutos. Ninguém pode trazê-la de volta. Qualquer outra loja só é apagada na hora, com outro operador.',
  },
  confirmStoreErasure: {
    link: 'Confirmar a eliminação',
    question: 'Confirmar a eliminação de {name}?',
    lead: 'A loja é fechada agora, e todos os membros recebem um e-mail. Depois de 24 horas tudo o que ela tem é apagado, e ninguém pode trazê-la de volta. Até lá qualquer operador pode cancelar.',
  },
  cancelStoreErasure: {
    link: 'Cancelar a eliminação',
    question: 'Cancelar a eliminação de {name}?',
    lead: 'Nada é apagado. Uma loja fechada continua fechada até ser reaberta.',
  },
  moveStore: {
    link: 'Mudar de banco de dados',
    question: 'Mudar {name} para outro banco de dados?',
    lead: 'A loja pode ser lida o tempo todo. Alterações são recusadas por segundos ou minutos, conforme o tamanho dela.',
  },
  purgeStoreMove: {
    link: 'Apagar os dados antigos',
    question: 'Apagar o que {name} deixou no banco de dados anterior?',
    lead: 'Os dados do banco de dados anterior, que senão ficam por 30 dias, são apagados em minutos, e ninguém pode trazê-los de volta. A loja em si não muda. Até lá eles são uma cópia do dia da mudança.',
  },
  inviteOwner: {
    link: 'Enviar o convite de novo',
    question: 'Convidar de novo o dono de {name}?',
    lead: 'O dono ainda não entrou. Ele recebe um e-mail com um novo link que funciona uma vez, por sete dias. O link antigo deixa de funcionar.',
  },
  inviteMember: {
    link: 'Convidar um membro',
    question: 'Convidar alguém para {name}',
    lead: 'A pessoa recebe um e-mail com um link que funciona uma vez, por sete dias.',
  },
  removeMember: {
    link: 'Remover',
    question: 'Remover {name} da loja?',
    lead: 'A pessoa perde a loja na hora, e os apps que ela conectou ali são desconectados.',
  },
  sendPasswordReset: {
    link: 'Enviar link para nova senha',
    question: 'Enviar a {name} um link para uma nova senha?',
    lead: 'Ele funciona uma vez, por 30 minutos. Nada muda até que seja usado.',
  },
  endSessions: {
    link: 'Encerrar todas as sessões',
    question: 'Desconectar {name} de todos os dispositivos?',
    lead: 'Todos os navegadores da pessoa são desconectados. Senha e chaves de API continuam.',
  },
  removeSecondFactor: {
    link: 'Remover a verificação em duas etapas',
    question: 'Remover a verificação em duas etapas de {name}?',
    lead: 'Para quem perdeu o telefone e os códigos de recuperação. A pessoa recebe um e-mail agora e pode se opor por 24 horas. Depois o fator é removido e todos os navegadores dela são desconectados. Confirme por outro meio que foi ela quem pediu.',
  },
  deactivateUser: {
    link: 'Bloquear',
    question: 'Bloquear {name}?',
    lead: 'As sessões terminam, as chaves de API deixam de funcionar e o que a pessoa conectou é desconectado. As lojas dela continuam como estão.',
  },
  reactivateUser: {
    link: 'Desbloquear',
    question: 'Desbloquear {name}?',
    lead: 'Senha e chaves de API voltam a funcionar. Apps que foram desconectados continuam assim.',
  },
  makeOperator: {
    link: 'Tornar operador',
    question: 'Dar a {name} os poderes de operador?',
    lead: 'A pessoa pode fazer tudo o que você faz aqui. Ela recebe um e-mail.',
  },
  unmakeOperator: {
    link: 'Retirar os poderes de operador',
    question: 'Retirar de {name} os poderes de operador?',
    lead: 'Estas páginas se fecham para a pessoa na hora, e as chaves dela para operadores deixam de funcionar.',
  },
  eraseUser: {
    link: 'Apagar o usuário',
    question: 'Apagar {name} para sempre?',
    lead: 'Nome, endereço e tudo o que é pessoal são apagados. Ninguém consegue recuperar.',
  },
  disableApp: {
    link: 'Desativar',
    question: 'Desativar {name}?',
    lead: 'Todas as lojas perdem a conexão com ele em um minuto, e os webhooks dele são pausados. O parceiro lê o motivo e não consegue ativá-lo.',
  },
  enableApp: {
    link: 'Devolver ao parceiro',
    question: 'Devolver {name} ao parceiro?',
    lead: 'Ele volta a ser rascunho. O parceiro o publica, e os lojistas o conectam de novo.',
  },
  unblockHost: {
    link: 'Desbloquear',
    question: 'Desbloquear {name}?',
    lead: 'Os assistentes dele podem pedir acesso de novo. As pessoas os conectam outra vez.',
  },
  drainShard: {
    link: 'Mover as lojas daqui',
    question: 'Esvaziar o banco de dados {name}?',
    lead: 'Ele não recebe lojas novas, e todas as lojas dele vão para outros bancos da região, poucas de cada vez.',
  },
  pauseShardChanges: {
    link: 'Pausar as mudanças',
    question: 'Pausar as mudanças longas do banco de dados {name}?',
    lead: 'Um passo em andamento termina em meio minuto. O que foi feito fica feito. A próxima versão pode esperar por elas.',
  },
  continueShardChanges: {
    link: 'Continuar as mudanças',
    question: 'Continuar as mudanças longas do banco de dados {name}?',
    lead: 'Elas continuam de onde foram pausadas. Um passo que falhou é repetido na hora.',
  },
};
