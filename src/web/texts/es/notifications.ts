import type { Messages } from '../en/messages.ts';

/** The page of the mails that a user gets, in Spanish. */
export const notificationsInSpanish: Messages['notifications'] = {
  title: 'Tus correos',
  lead: 'Te escribimos a {email}. Siempre recibes correos sobre la seguridad de tu cuenta y sobre el cierre de tus tiendas.',
  saved: 'Se guardó tu elección.',
  notConfigured:
    'Por ahora este servicio no puede enviar correos. Tu elección vale en cuanto pueda.',
  noSender:
    'Por ahora este servicio no puede enviar correos. Avisa a quien lo administra: no llega nada hasta que configure un remitente.',
  all: 'Todo lo demás',
  allows: 'Enviarme también otros correos',
  allowsHint: 'Sin esto no recibes ninguno de los de abajo.',
  which: 'Cuáles',
  kinds: {
    app_disconnected: 'Una app se desconectó de una tienda',
    member_removed: 'Alguien ya no trabaja en una tienda',
    webhook_failing: 'Un webhook falla desde hace un día o más',
    webhook_switched_off: 'Se desactivó un webhook',
    app_webhook_switched_off: 'Se desactivó el webhook de una app',
    event_budget: 'La tienda usó gran parte de su presupuesto diario de eventos',
    export_ready: 'Una exportación está lista para descargar',
    store_reactivated: 'Una tienda está activa de nuevo',
  },
  submit: 'Guardar',
  unsubscribe: {
    title: '¿Dejar de recibir estos correos?',
    lead: 'Ya no recibirás correos de este tipo:',
    submit: 'Dejar de recibirlos',
    done: 'Ya no recibes estos correos',
    doneLead: 'Todos los demás siguen como están. Desactivaste los de este tipo:',
    dead: 'Venció o está incompleto. No cambió nada. Inicia sesión para elegir tus correos.',
  },
};
