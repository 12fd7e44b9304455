import type { Messages } from '../en/messages.ts';

/** Words that pages of every area share, in Spanish. */
export const commonInSpanish: Messages['common'] = {
  help: '¿Necesitas ayuda? Escríbenos:',
  ago: 'hace {time}',
  ahead: 'en {time}',
  asNumbers: 'En números',
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'No copiado',
  reason: 'Motivo',
  reasonHint: 'Quien puede ver la actividad también puede leer el motivo.',
  reasonMissing: 'Escribe el motivo.',
  reasonLong: 'El motivo tiene más de 500 caracteres.',
};
