import type { Messages } from '../en/messages.ts';

/** The webhook pages in Spanish. */
export const webhooksInSpanish: Messages['webhooks'] = {
  title: 'Webhooks',
  lead: 'Un webhook envía enseguida los eventos de tu tienda a otro programa. Aquí ves adónde van y si llegan.',
  none: 'Esta tienda no tiene ningún webhook. Una app conectada crea los suyos. Para un programa tuyo, crea uno aquí.',
  docs: 'Leer cómo funcionan los webhooks',
  eventBudget:
    'Los eventos de hoy de esta tienda agotaron el espacio de un día. Hasta la medianoche (UTC) las importaciones y los cambios de muchos precios a la vez esperan unos segundos; lo demás sigue. La causa suele ser un programa que cambia una y otra vez los mismos registros: mira los últimos envíos.',
  host: 'Destino',
  events: 'Eventos',
  duplicate:
    '{webhook} envía a la misma dirección. Cada evento que ambos tienen llega allí dos veces. Elimina el que no necesites.',
  hasDuplicate: 'Dos webhooks envían a esta dirección',
  order: 'Orden',
  ordered: 'Un evento a la vez, en orden',
  state: 'Estado',
  lastSuccess: 'Último éxito',
  never: 'Todavía no ha llegado nada',
  failingSince: 'Falla desde',
  nextAttempt: 'Próximo intento',
  soon: 'Lo antes posible',
  madeBy: 'Creado por',
  ownKey: 'Un programa con la clave de API {name}',
  unknownCreator: 'Sin registro',
  created: 'Creado el',
  back: 'Todos los webhooks',
  states: {
    active: 'Activo',
    failing: 'Fallando',
    paused: 'En pausa',
    disabled: 'Desactivado',
    gone: 'Desactivado por el destino',
  },
  stateHints: {
    active: 'Los eventos de tu tienda se le envían.',
    failing:
      'El destino no acepta lo que enviamos. Seguimos intentándolo y desactivamos el webhook tras cinco días sin éxito.',
    paused: 'No se envía nada. Los eventos quedan retenidos hasta que reanudes el webhook.',
    disabled:
      'No llegó nada durante cinco días, así que dejamos de enviar. Los eventos quedan retenidos hasta que reanudes el webhook.',
    gone: 'El destino respondió que ya no existe (410), así que dejamos de enviar. Los eventos quedan retenidos hasta que reanudes el webhook.',
  },
  notices: 'Avisos',
  noNotices:
    'Ningún aviso hasta ahora. Avisamos cuando no llega nada en 24 horas, y otra vez a las 72 horas.',
  noNoticesFailing:
    'Ningún aviso todavía, porque el webhook aún no lleva 24 horas fallando. Avisamos entonces, y otra vez a las 72 horas.',
  noticeKinds: {
    failing_24h: 'No llega nada desde hace 24 horas.',
    failing_72h: 'No llega nada desde hace 72 horas.',
    throttled_24h:
      'Desde hace 24 horas el destino solo pide esperar (429). Seguimos intentándolo y no desactivamos el webhook por eso.',
    disabled: 'Desactivado: no llegó nada durante cinco días.',
    gone: 'Desactivado: el destino respondió que ya no existe.',
    restored:
      'Restauramos un estado anterior de tu tienda. Los números de entrega continúan desde ese estado, y el destino debería leer otra vez sus datos desde la API.',
    other: 'Pasó otra cosa.',
  },
  meanings: {
    'order.created': 'Pedido creado',
    'order.paid': 'Pedido aprobado',
    'order.status.updated': 'Estado de un pedido actualizado',
    'order.invoice.created': 'Factura de un pedido creada',
    'order.invoice.updated': 'Factura de un pedido actualizada',
    'transaction.payment.refused': 'Pago de una transacción rechazado',
    'cart.reminder': 'Recordatorio de carrito abandonado',
    'customer.created': 'Cliente creado',
    'customer.address.created': 'Dirección de cliente creada',
    'product.created': 'Producto creado',
    'product.updated': 'Producto actualizado',
    'product.deleted': 'Producto eliminado',
    'product.inventory.updated': 'Stock de producto actualizado',
    'catalog.import_completed': 'Importación de productos terminada',
    other: 'Un evento que ya no se guarda',
  },
  flash: {
    paused:
      'El webhook está en pausa. Entregas retenidas: {count}. Cuando lo reanudes, eliges cuáles se envían.',
    resumed: 'El webhook está activo otra vez: lo que esperaba se envía ahora.',
    edited: 'Tus cambios están guardados.',
    rotated: 'La nueva clave es ahora la principal.',
    deleted: 'El webhook se eliminó. No se envía nada más a su destino.',
  },
  pause: {
    lead: 'En pausa no se envía nada más al destino, y los eventos quedan retenidos hasta que reanudes el webhook.',
    submit: 'Pausar webhook',
  },
  resume: {
    title: 'Reanudar',
    question: '¿Reanudar {name}?',
    pinged:
      'Primero enviamos un ping a {host}. El webhook solo vuelve a estar activo si el ping tiene éxito dentro del plazo.',
    appDisconnected:
      '{app} ya no está conectada a esta tienda, así que su webhook no se puede reanudar. Primero conecta la app otra vez.',
    appNotAllowed:
      '{app} está conectada a esta tienda, pero sin permiso para todos los eventos de este webhook, por eso no se puede reanudar. Vuelve a conectar la app con esos permisos, o haz que deje de suscribirse a esos eventos.',
    held: 'Entregas retenidas: {count}.',
    heldMany: 'Entregas retenidas: {count} o más.',
    choose: '¿Qué entregas retenidas deben enviarse?',
    choices: {
      '72h': 'Las de las últimas 72 horas',
      all: 'Todas',
      none: 'Ninguna, solo los eventos nuevos',
    },
    pace: 'Hasta 500 se envían enseguida y después 500 por minuto. Las demás aún se pueden enviar otra vez, una por una.',
    back: 'Volver al webhook',
    submit: 'Reanudar webhook',
    errors: {
      notChosen: 'Elige qué entregas enviar.',
      unanswered: 'El ping falló: {answer} No cambió nada.',
      tooSoon:
        'Todavía no: esta tienda tuvo un ping hace un momento. Espera diez segundos. No cambió nada.',
      urlRefused:
        'La dirección del webhook no se puede usar ahora: el destino no es público o no se encuentra. No cambió nada.',
    },
  },
  ping: {
    lead: 'Un ping es un mensaje firmado y sin contenido que muestra si el destino responde: uno cada 10 segundos para cada tienda. No forma parte del registro.',
    submit: 'Enviar ping',
    delivered: 'El ping llegó: {answer}',
    released: 'Lo que esperaba a este webhook se envía ahora.',
    failed: 'El ping no llegó: {answer}',
    urlRefused:
      'No se envió ningún ping: la dirección del webhook no se puede usar, porque el destino no es público o no se encuentra.',
    tooSoon:
      'No se envió ningún ping, porque esta tienda tuvo uno hace un momento. Espera diez segundos.',
  },
};
