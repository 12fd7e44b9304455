import type { storesInEnglish } from '../en/stores.ts';

/** The pages of a store and the list of stores, in Spanish. */
export const storesInSpanish: typeof storesInEnglish = {
  page: {
    name: 'Nombre',
    alias: 'Alias',
    zone: 'Zona horaria',
    role: 'Tu rol',
    factor: 'Verificación en dos pasos',
    factorRequired: 'Todos los miembros la necesitan',
    factorOptional: 'Cada miembro decide',
    eventsToday: 'Eventos de hoy',
    eventsOfBudget: '{bytes} de {budget}',
    active: 'Activa',
    test: 'Tienda de prueba',
    edit: 'Cambiar nombre o zona horaria',
    requireFactor: 'Exigir la verificación en dos pasos',
    stopRequiringFactor: 'Dejar de exigirla',
    exportLead:
      'Recibe todo lo que tiene esta tienda en un archivo, con una lista para cada tipo de registro.',
    exportAsk: 'Exportar los datos',
    exportWaiting: 'La exportación empieza en un minuto. Te avisamos por correo cuando esté lista.',
    exportRunning:
      'La exportación está en marcha: {done} de {total}. Te avisamos por correo cuando esté lista.',
    exportFailed: 'La última exportación falló. Vuelve a pedirla.',
    exportReady: 'Lista desde el {at}. El archivo está aquí hasta el {until}.',
    download: 'Descargar la exportación',
    closingLead:
      'Una tienda cerrada se detiene al instante. Sus datos se borran después de 30 días.',
    close: 'Cerrar esta tienda',
    saved:
      'El nombre y la zona horaria están guardados: las páginas y los correos de la tienda ya los usan.',
    exportAsked: 'La exportación empezó. Recibes un correo cuando esté lista para descargar.',
    factorChanged: 'Guardado. Vale desde la próxima página que abra un miembro.',
    closed:
      'La tienda está cerrada. Puedes volver a abrirla aquí durante 30 días; después se borran sus datos.',
    reopened: 'La tienda está abierta de nuevo, y lo que esperaba continúa. No se borrará nada.',
  },
  sales: {
    orders: 'Pedidos, últimos 30 días',
    revenue: 'Ingresos, últimos 30 días',
    paidOrders: 'Pedidos pagados',
    total: 'Total de 30 días',
    date: 'Día',
  },
  today: {
    orders: 'Últimos pedidos',
    noOrders: 'Todavía no hay pedidos. El primero aparece aquí.',
    order: 'Pedido',
    status: 'Estado',
    total: 'Importe',
    at: 'Cuándo',
    low: 'Por agotarse',
    product: 'Producto',
    available: 'Quedan',
    statuses: {
      waiting_payment: 'Espera el pago',
      paid: 'Pagado',
      handling_products: 'En preparación',
      on_carriage: 'En camino',
      delivered: 'Entregado',
      cancelled: 'Cancelado',
      refused: 'Pago rechazado',
      invoiced: 'Facturado',
      shipment_exception: 'Problema con la entrega',
      ready_for_shipping: 'Listo para enviar',
    },
  },
  edit: {
    title: 'Cambiar {store}',
    aliasStays: 'El alias no se puede cambiar aquí.',
    name: 'Nombre de la tienda',
    nameMissing: 'Escribe un nombre.',
    nameInvalid: 'Escribe un nombre de 120 caracteres como máximo, en una línea.',
    zone: 'Zona horaria',
    zoneHint: 'Para las horas en páginas y respuestas, y para saber cuándo empieza un día.',
    zoneInvalid: 'Elige una zona horaria de la lista.',
    save: 'Guardar',
  },
  factor: {
    question: '¿Exigir la verificación en dos pasos a todos los miembros?',
    consequence:
      'Los miembros sin verificación en dos pasos no abren las páginas de esta tienda hasta que la configuren. Hasta entonces, sus claves de API y las apps que conectaron tampoco funcionan aquí. A nadie se le cierra la sesión.',
    submit: 'Exigirla',
    ownFirst:
      'Configura primero tu propia verificación en dos pasos. Después puedes exigirla a los demás.',
    offQuestion: '¿Dejar de exigir la verificación en dos pasos?',
    offConsequence: 'Los miembros podrán abrir esta tienda solo con su contraseña.',
    offSubmit: 'Dejar de exigirla',
  },
  export: {
    question: '¿Exportar todos los datos de {store}?',
    consequence:
      'El archivo contiene datos personales de tus clientes. Guárdalo en un lugar seguro. Puedes descargarlo durante siete días.',
    submit: 'Exportar',
  },
  close: {
    question: '¿Cerrar {store}?',
    consequence:
      'La tienda se detiene al instante: nadie más puede usarla, las apps y los programas pierden el acceso, no se envía ningún mensaje ni se captura ningún pago.',
    erased: 'El {date} se borran todos sus datos. Hasta entonces puedes abrirla de nuevo.',
    alias: 'Escribe el alias de la tienda ({alias}) para confirmar',
    aliasWrong: 'Este no es el alias de la tienda. Escribe {alias}.',
    reason: 'Cerrada por su dueño.',
    submit: 'Cerrar la tienda',
  },
  reopen: {
    question: '¿Abrir {store} de nuevo?',
    consequence: 'La tienda funciona como antes y lo que esperaba continúa. No se borra nada.',
    submit: 'Abrirla de nuevo',
    tooLate: 'Los datos de esta tienda se están borrando, así que no se puede abrir de nuevo.',
    byServiceTitle: 'El servicio cerró esta tienda',
    byService: 'Solo el servicio puede volver a abrirla. Escríbenos si crees que es un error.',
    toStore: 'Ir a la tienda',
  },
  list: {
    inactive: 'Tiendas inactivas',
    inactiveLead: 'Nadie puede usar estas tiendas, y no envían nada.',
    reason: 'Motivo: {reason}',
    since: 'Inactiva desde el {date}.',
    erasedOn: 'Todos sus datos se borran el {date}.',
    reopen: 'Abrirla de nuevo',
    closed: 'Cerrada',
    deactivated: 'Desactivada',
    closedByService:
      'El servicio cerró esta tienda. Solo el servicio puede volver a abrirla: escríbenos.',
    deactivatedByService: 'El servicio desactivó esta tienda. Escríbenos para volver a abrirla.',
    staysDeactivated:
      'El servicio también desactivó esta tienda. Seguirá así cuando se vuelva a abrir.',
    locked: 'Necesita la verificación en dos pasos',
    lockedLead: 'Esta tienda se abre cuando confirmes un código de la verificación en dos pasos.',
    open: 'Abrir {store}',
    make: 'Crear una tienda',
    setUpFactor: 'Protege tu cuenta con la verificación en dos pasos',
    partnerLead: 'Registra una app y pruébala en una tienda de prueba.',
  },
  create: {
    title: 'Crear una tienda',
    name: 'Nombre de la tienda',
    alias: 'Alias',
    aliasHint:
      'El nombre corto en las direcciones: de 3 a 63 letras minúsculas, cifras y guiones. Después no cambia.',
    aliasInvalid:
      'Usa de 3 a 63 letras minúsculas, cifras y guiones simples. Algunos nombres están reservados.',
    aliasTaken: 'Otra tienda tiene o tuvo este alias. Elige otro.',
    noRoom: 'Ahora no podemos crear una tienda. Inténtalo más tarde o escríbenos.',
    tooMany:
      'Tienes {count} tiendas, el máximo. Una tienda cerrada cuenta hasta que se borran sus datos.',
    tooManyToday: 'Creaste {count} tiendas en un día, el máximo. Inténtalo de nuevo en {time}.',
    submit: 'Crear la tienda',
    made: 'Tu tienda está lista.',
  },
};
