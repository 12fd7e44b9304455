import type { Messages } from '../en/messages.ts';

/** Words that pages of every area share, in Brazilian Portuguese. */
export const commonInPortuguese: Messages['common'] = {
  help: 'Precisa de ajuda? Escreva para nós:',
  ago: 'há {time}',
  ahead: 'em {time}',
  asNumbers: 'Em números',
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'Não copiado',
  reason: 'Motivo',
  reasonHint: 'Quem pode ver a atividade também pode ler o motivo.',
  reasonMissing: 'Digite o motivo.',
  reasonLong: 'O motivo tem mais de 500 caracteres.',
};
