import type { Messages } from '../en/messages.ts';

/** Words that pages of every area share, in Spanish. */
export const commonInSpanish: Messages['common'] = {
  help: '¿Necesitas ayuda? Escríbenos:',
  ago: 'hace {time}',
  ahead: 'en {time}',
  moreActions: 'Más acciones',
  look: 'Ver',
  setUp: 'Configurar',
  asNumbers: 'En números',
  chart: {
    week: 'Últimos 7 días: {total}, {change} la semana anterior',
    day: '{change} el día anterior',
    more: '{share} más que',
    less: '{share} menos que',
    same: 'lo mismo que',
  },
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'No copiado',
  kept: 'Lo que escribiste sigue aquí, pero no se guardó nada. Revísalo y envíalo de nuevo; las contraseñas y los archivos hay que indicarlos otra vez.',
  keptUntilSignIn:
    'Tu sesión terminó y no se guardó nada. Inicia sesión: lo que escribiste sigue aquí.',
  notDone: 'Todavía no se hizo nada. Revisa la página y envíala de nuevo.',
  reason: 'Motivo',
  reasonHint: 'Quien puede ver la actividad también puede leer el motivo.',
  reasonMissing: 'Escribe el motivo.',
  reasonLong: 'El motivo tiene más de 500 caracteres.',
};
