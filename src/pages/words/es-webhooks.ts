import type { Words } from './en.ts';

/** The pages about webhooks in Spanish. */
export const webhooksInSpanish: Words['webhooks'] = {
  title: 'Avisos (webhooks)',
  lead: 'Un webhook avisa enseguida a otro programa de lo que pasa en tu tienda. Aquí ves a quién se avisa de qué y si el aviso llega.',
  none: 'Esta tienda no tiene ningún webhook. Una aplicación que conectas crea los suyos; para un programa tuyo, crea uno con la API.',
  docs: 'Leer cómo se crea un webhook',
  host: 'Va a',
  events: 'Avisa de',
  state: 'Estado',
  lastOk: 'Último éxito',
  never: 'Todavía no ha llegado nada',
  failingSince: 'Falla desde',
  nextAttempt: 'Próximo intento',
  soon: 'Lo antes posible',
  madeBy: 'Creado por',
  ownKey: 'Un programa con una clave de API',
  created: 'Creado el',
  look: 'Ver entregas',
  lookAt: 'Ver las entregas de {name}',
  back: 'Todos los webhooks',
  states: {
    active: 'Activo',
    failing: 'Fallando',
    paused: 'En pausa',
    disabled: 'Apagado',
    gone: 'Apagado por el destino',
  },
  stateHints: {
    active: 'Lo que pasa en tu tienda se le envía.',
    failing:
      'El destino no acepta lo que enviamos. Seguimos intentándolo y apagamos el webhook tras cinco días sin éxito.',
    paused: 'No se envía nada. Lo que pasa mientras tanto queda retenido hasta que lo reanudes.',
    disabled:
      'No llegó nada durante cinco días, así que dejamos de enviar. Lo que pasa mientras tanto queda retenido hasta que lo reanudes.',
    gone: 'El destino respondió que ya no existe (410), así que dejamos de enviar. Lo que pasa mientras tanto queda retenido hasta que lo reanudes.',
  },
  notices: 'Lo que te avisamos',
  noNotices: 'Nada hasta ahora. Aquí aparece una alerta tras 24 y tras 72 horas sin éxito.',
  noticeKinds: {
    failing_24h: 'No llega nada desde hace 24 horas.',
    failing_72h: 'No llega nada desde hace 72 horas.',
    slowed_24h:
      'Desde hace 24 horas el destino solo pide esperar (429). Seguimos intentándolo y no lo apagamos por eso.',
    disabled: 'Apagado: no llegó nada durante cinco días.',
    gone: 'Apagado: el destino respondió que ya no existe.',
    restored:
      'Nuestros registros volvieron a un momento anterior. Los avisos tienen una época nueva, y el destino debería leer otra vez lo que guarda.',
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
    'product.inventory.updated': 'Inventario de producto actualizado',
    other: 'Un evento que ya no se guarda',
  },
  news: {
    resent: 'La entrega se envía otra vez, con un número propio.',
    resentHeld: 'La entrega está otra vez en la lista. Sale cuando reanudes el webhook.',
    paused: 'El webhook está en pausa.',
    resumed: 'El webhook está activo otra vez.',
  },
  pause: {
    title: 'Pausar',
    question: '¿Pausar {name}?',
    consequence:
      'No se envía nada más al destino, que deja de saber de nuevos pedidos, pagos o inventario.',
    later:
      'Lo que pasa mientras tanto queda retenido. Cuando reanudes el webhook, eliges qué de ello sale.',
    submit: 'Pausar webhook',
  },
  resume: {
    title: 'Reanudar',
    question: '¿Reanudar {name}?',
    pinged:
      'Primero enviamos un ping a {host}. El webhook solo vuelve a estar activo si el ping se responde con éxito dentro del plazo.',
    parted:
      '{app} ya no está conectada a esta tienda, así que su webhook no se puede reanudar. Primero conecta la aplicación otra vez.',
    held: 'Entregas retenidas ahora: {count}.',
    heldMany: 'Entregas retenidas ahora: {count} o más.',
    choose: '¿Qué sale de lo retenido?',
    choices: {
      '72h': 'Lo de las últimas 72 horas',
      all: 'Todo',
      none: 'Nada, solo lo que pase a partir de ahora',
    },
    pace: 'Hasta 500 salen enseguida y después 500 por minuto. Lo que quede retenido aún se puede enviar otra vez, uno por uno.',
    submit: 'Reanudar webhook',
    faults: {
      notChosen: 'Elige qué sale.',
      unanswered: 'El ping no se respondió con éxito: {answer} Nada ha cambiado.',
      tooSoon:
        'Todavía no: esta tienda tuvo un ping hace un momento. Espera diez segundos. Nada ha cambiado.',
      urlRefused:
        'La dirección del webhook no puede recibir ahora: el destino no es público o no se encuentra. Nada ha cambiado.',
    },
  },
  ping: {
    title: 'Enviar un ping',
    lead: 'Un ping es un mensaje firmado y sin contenido. Muestra si {host} responde; no cambia nada en tu tienda ni forma parte del registro.',
    submit: 'Enviar ping',
    again: 'Enviar otro ping',
    back: 'Volver al webhook',
    wait: 'Un ping cada 10 segundos para cada tienda.',
    delivered: 'El ping llegó: {answer}',
    failed: 'El ping no llegó: {answer}',
    urlRefused:
      'No se envió ningún ping: la dirección del webhook no puede recibir, porque el destino no es público o no se encuentra.',
    tooSoon:
      'No se envió ningún ping, porque esta tienda tuvo uno hace un momento. Espera diez segundos.',
  },
};
