import type { Messages } from '../en/messages.ts';

/** The forms that create, edit, rotate and delete webhooks, in Spanish. */
export const webhookFormsInSpanish: Messages['webhookForms'] = {
  create: 'Crear un webhook',
  edit: 'Editar',
  editNamed: 'Editar {name}',
  save: 'Guardar cambios',
  name: 'Nombre',
  nameHint: 'Para qué sirve, para que lo reconozcas después. Hasta 100 caracteres.',
  url: 'Dirección',
  example: 'Lo que llega',
  exampleLead: 'Un POST firmado por cada evento. Cualquier respuesta 2xx dice que llegó.',
  urlHint: 'Dónde recibe los eventos el otro programa. Empieza por https://.',
  events: 'Eventos',
  eventsHint: 'Elige de qué debe enterarse el otro programa. También ve los datos de cada evento.',
  allEvents: 'Todos los eventos',
  allEventsMeaning: 'Sin los que añadamos después.',
  someEvents: 'Solo estos eventos',
  groups: {
    orders: 'Pedidos y pagos',
    invoices: 'Facturas',
    customers: 'Clientes y carritos',
    products: 'Productos',
  },
  hints: {
    'order.paid': 'Se aprobó el pago de un pedido.',
    'order.status.updated': 'Un pedido se envió, se entregó, se canceló, etcétera.',
    'cart.reminder': 'Un cliente dejó un carrito con productos.',
    'product.updated': 'Cambió el nombre, el precio u otra cosa de un producto.',
  },
  ordered: 'Mantener el orden',
  orderedHint:
    'Envía un evento a la vez, cada uno después de que llegó el anterior. Es más lento, y un evento que falla detiene a todos los que siguen.',
  errors: {
    nameMissing: 'Escribe un nombre.',
    nameLong: 'El nombre tiene más de 100 caracteres.',
    urlMissing: 'Escribe la dirección.',
    urlWrong: 'Esta dirección no está completa. Debe parecerse a https://example.com/webhooks.',
    urlRefused:
      'No podemos enviar a esta dirección: el destino no es público o no se encuentra, o la dirección no empieza por https://.',
    eventsMissing: 'Elige al menos un evento.',
    tooMany: 'Esta tienda tiene 20 webhooks, el máximo. Elimina uno que no uses.',
    unanswered:
      'No cambió nada: este webhook estaba desactivado y la nueva dirección no respondió a nuestro ping. Revísala e inténtalo otra vez.',
    tooSoon:
      'No cambió nada: esta tienda tuvo un ping hace un momento. Inténtalo otra vez en diez segundos.',
    appRefused:
      'No cambió nada: la app de este webhook no tiene permiso para uno de estos eventos. Quita ese evento o conecta la app otra vez.',
  },
  secret: {
    title: 'Tu clave de firma',
    label: 'Clave de firma',
    firstLead: 'Con esta clave el otro programa comprueba que un evento viene de nosotros.',
    nextLead: 'Da esta nueva clave al otro programa. Después vuelve aquí y termina el cambio.',
    once: 'Cópiala ahora y guárdala en un lugar seguro. No podemos mostrártela otra vez.',
    saved: 'Ya la guardé',
    gone: 'Esta clave ya se mostró',
    goneLead: 'La clave se muestra una sola vez. Si no la guardaste, cámbiala por una nueva.',
    back: 'Ir al webhook',
  },
  rotate: {
    title: 'Cambiar la clave',
    question: '¿Cambiar la clave de {name}?',
    underWayTitle: 'Nueva clave',
    underWay: 'La nueva clave de {name}',
    lead: 'Recibes una nueva clave de firma. Durante un tiempo firmamos con las dos, para que no se pierda ningún evento mientras cambias el otro programa.',
    overlapQuestion: '¿Cuánto tiempo debe seguir valiendo la clave anterior?',
    choices: {
      day: '24 horas',
      week: 'Una semana',
      none: 'Nada: puede que otra persona la conozca',
    },
    start: 'Crear una nueva clave',
    overlap: 'Valen las dos claves. A partir del {time}, la nueva es la principal.',
    finishLead:
      '¿El otro programa ya conoce la nueva clave? Entonces conviértela en la principal. La anterior vale todavía el mismo tiempo y después termina.',
    finish: 'Usar la nueva clave',
    committed:
      'La nueva clave es la principal. La anterior termina el {time}. No tienes que hacer nada más.',
    errors: { notChosen: 'Elige cuánto tiempo sigue valiendo la clave anterior.' },
  },
  remove: {
    title: 'Eliminar',
    question: '¿Eliminar {name}?',
    consequence:
      'No se le envía nada más, y lo que aún espera no se envía nunca. No se puede deshacer.',
    instead: 'Para detenerlo solo un tiempo, ponlo en pausa.',
    submit: 'Eliminar webhook',
  },
};
