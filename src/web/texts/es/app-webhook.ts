import type { Messages } from '../en/messages.ts';

/** The webhook of an app itself, in Spanish. */
export const appWebhookInSpanish: Messages['appWebhook'] = {
  open: 'Webhook de la app',
  title: 'Webhook de {app}',
  lead: 'Recibe lo que concierne a la app en su conjunto, también después de que una tienda la desconecte. Cada evento se firma como los de cualquier webhook.',
  events: 'Eventos',
  hints: {
    'app.connected': 'Una tienda conectó la app.',
    'app.disconnected': 'La conexión de la app con una tienda terminó.',
    'customer.anonymized':
      'Una tienda anonimizó o eliminó a un cliente que la app pudo haber visto. Borra lo que guardes de él.',
    'store.closed': 'Se cerró una tienda a la que la app está o estuvo conectada.',
    'store.renamed':
      'Una tienda a la que la app está conectada tiene otro alias. El anterior funciona durante un año.',
  },
  url: 'Dirección',
  urlHint: 'Donde tu programa recibe los eventos. Empieza por https://.',
  create: 'Configurar el webhook',
  save: 'Guardar',
  state: 'Estado',
  active: 'Activo',
  failing: 'Con fallos',
  off: 'Desactivado',
  offHint:
    'No aceptó eventos durante 72 horas o respondió 410. Sus eventos esperan. Guarda la dirección para activarlo de nuevo.',
  rotate: 'Cambiar la clave',
  rotateQuestion: '¿Cambiar la clave del webhook de {app}?',
  rotateLead:
    'Recibes una nueva clave de firma, que se muestra una sola vez. Durante 48 horas firmamos con las dos, para que no se pierda ningún evento mientras cambias tu programa.',
  rotating: 'Dos claves valen hasta {time}. Después, solo la nueva.',
  remove: 'Quitar',
  removeQuestion: '¿Quitar el webhook de {app}?',
  removeLead: 'No se le enviará nada más. Se elimina lo que todavía espera y la lista de entregas.',
  deliveries: 'Últimas entregas',
  caption: 'Últimas entregas, de la más nueva a la más antigua',
  none: 'Todavía no hay eventos. Conecta o desconecta una tienda de prueba para provocar uno.',
  columns: {
    event: 'Evento',
    at: 'Cuándo',
    state: 'Estado',
    attempts: 'Intentos',
  },
  states: {
    delivered: 'Entregado',
    waiting: 'En espera',
    givenUp: 'Abandonado',
  },
  flash: {
    saved: 'El webhook está guardado.',
    removed: 'El webhook se quitó.',
  },
};
