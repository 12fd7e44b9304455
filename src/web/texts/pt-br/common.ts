import type { Messages } from '../en/messages.ts';

/** Words that pages of every area share, in Brazilian Portuguese. */
export const commonInPortuguese: Messages['common'] = {
  help: 'Precisa de ajuda? Escreva para nós:',
  ago: 'há {time}',
  ahead: 'em {time}',
  moreActions: 'Mais ações',
  look: 'Ver',
  setUp: 'Configurar',
  asNumbers: 'Em números',
  chart: {
    week: 'Últimos 7 dias: {total}, {change} na semana anterior',
    day: '{change} no dia anterior',
    more: '{share} a mais que',
    less: '{share} a menos que',
    same: 'o mesmo que',
  },
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'Não copiado',
  kept: 'O que você digitou continua aqui, mas nada foi salvo. Confira e envie de novo; senhas e arquivos precisam ser informados outra vez.',
  keptUntilSignIn:
    'Sua sessão terminou e nada foi salvo. Entre de novo: o que você digitou continua aqui.',
  notDone: 'Nada foi feito ainda. Confira a página e envie de novo.',
  reason: 'Motivo',
  reasonHint: 'Quem pode ver a atividade também pode ler o motivo.',
  reasonMissing: 'Digite o motivo.',
  reasonLong: 'O motivo tem mais de 500 caracteres.',
};
