import type { Messages } from '../en/messages.ts';

/** The actions of operators, in Spanish. */
export const operatorActionsInSpanish: Messages['operator']['actions'] = {
  deactivateStore: {
    link: 'Desactivar',
    question: '¿Desactivar {name}?',
    lead: 'Nadie puede abrir la tienda. No se envía, captura ni recuerda nada hasta que la actives de nuevo. El dueño y los gestores leen el motivo.',
  },
  reactivateStore: {
    link: 'Activar de nuevo',
    question: '¿Activar {name} de nuevo?',
    lead: 'El trabajo en espera continúa enseguida. Una tienda cerrada sigue cerrada.',
  },
  closeStore: {
    link: 'Cerrar',
    question: '¿Cerrar {name}?',
    lead: 'La tienda queda inactiva enseguida. Sus datos se borran después de 30 días; hasta entonces los operadores pueden volver a abrirla, pero su dueño no.',
  },
  reopenStore: {
    link: 'Volver a abrir',
    question: '¿Volver a abrir {name}?',
    lead: 'También una tienda que cerró el servicio. No se borra nada, y lo que esperaba continúa enseguida, salvo que la tienda también esté desactivada.',
  },
  renameStore: {
    link: 'Cambiar el alias',
    question: '¿Cambiar el alias de {name}?',
    lead: 'Las direcciones con el alias anterior dejan de funcionar enseguida, y otra tienda puede usarlo. Avisa antes al dueño.',
  },
  setStoreLimits: {
    link: 'Fijar los límites',
    question: '¿Fijar los límites de {name}?',
    lead: 'La tienda puede registrar esta cantidad de bytes de eventos al día. Más allá, sus importaciones y cambios de muchos precios van por turnos; lo demás sigue. Todos los que la llaman pueden enviar juntos esta cantidad de solicitudes por minuto.',
  },
  exportStore: {
    link: 'Exportar los datos',
    question: '¿Exportar los datos de {name}?',
    lead: 'Todo lo que tiene la tienda se escribe en archivos. El dueño recibe un correo cuando están listos.',
  },
  eraseStore: {
    link: 'Borrar los datos',
    question: '¿Pedir que se borren para siempre los datos de {name}?',
    lead: 'Una tienda cerrada desde hace 30 días se borra en minutos. Nadie puede recuperarla. Cualquier otra tienda solo se borra al momento, con otra persona operadora.',
  },
  confirmStoreErasure: {
    link: 'Confirmar el borrado',
    question: '¿Confirmar el borrado de {name}?',
    lead: 'La tienda se cierra ahora, y todos los miembros reciben un correo. Después de 24 horas se borra todo lo que tiene, y nadie puede recuperarlo. Hasta entonces cualquier persona operadora puede cancelarlo.',
  },
  cancelStoreErasure: {
    link: 'Cancelar el borrado',
    question: '¿Cancelar el borrado de {name}?',
    lead: 'No se borra nada. Una tienda cerrada sigue cerrada hasta que se vuelva a abrir.',
  },
  moveStore: {
    link: 'Pasar a otra base de datos',
    question: '¿Pasar {name} a otra base de datos?',
    lead: 'La tienda se puede leer todo el tiempo. Los cambios se rechazan durante segundos o minutos, según su tamaño.',
  },
  purgeStoreMove: {
    link: 'Borrar los datos antiguos',
    question: '¿Borrar lo que {name} dejó en su base de datos anterior?',
    lead: 'Los datos de la base de datos anterior, que de lo contrario quedan 30 días, se borran en minutos y nadie puede recuperarlos. La tienda misma no cambia. Hasta entonces son una copia del día del traslado.',
  },
  inviteOwner: {
    link: 'Enviar la invitación otra vez',
    question: '¿Invitar otra vez al dueño de {name}?',
    lead: 'El dueño todavía no ha entrado. Recibe un correo con un enlace nuevo que funciona una vez, durante siete días. El enlace anterior deja de funcionar.',
  },
  inviteMember: {
    link: 'Invitar a un miembro',
    question: 'Invitar a alguien a {name}',
    lead: 'Recibe un correo con un enlace que funciona una vez, durante siete días.',
  },
  removeMember: {
    link: 'Quitar',
    question: '¿Quitar a {name} de la tienda?',
    lead: 'Pierde la tienda enseguida, y las apps que conectó allí se desconectan.',
  },
  sendPasswordReset: {
    link: 'Enviar enlace para nueva contraseña',
    question: '¿Enviar a {name} un enlace para una nueva contraseña?',
    lead: 'Funciona una vez, durante 30 minutos. Nada cambia hasta que se use.',
  },
  endSessions: {
    link: 'Cerrar todas las sesiones',
    question: '¿Cerrar la sesión de {name} en todas partes?',
    lead: 'Se cierra la sesión en todos sus navegadores. La contraseña y las claves de API se mantienen.',
  },
  removeSecondFactor: {
    link: 'Quitar la verificación en dos pasos',
    question: '¿Quitar la verificación en dos pasos de {name}?',
    lead: 'Para quien perdió el teléfono y los códigos de recuperación. Recibe un correo ahora y puede oponerse durante 24 horas. Después se quita el factor y se cierra su sesión en todos los navegadores. Confirma por otro medio que lo pidió esa persona.',
  },
  deactivateUser: {
    link: 'Bloquear',
    question: '¿Bloquear a {name}?',
    lead: 'Sus sesiones terminan, sus claves de API dejan de funcionar y lo que conectó se desconecta. Sus tiendas siguen como están.',
  },
  reactivateUser: {
    link: 'Desbloquear',
    question: '¿Desbloquear a {name}?',
    lead: 'La contraseña y las claves de API vuelven a funcionar. Las apps que se desconectaron siguen así.',
  },
  makeOperator: {
    link: 'Hacer operador',
    question: '¿Dar a {name} los poderes de operador?',
    lead: 'Podrá hacer todo lo que tú haces aquí. Recibe un correo.',
  },
  unmakeOperator: {
    link: 'Quitar los poderes de operador',
    question: '¿Quitar a {name} los poderes de operador?',
    lead: 'Estas páginas se le cierran enseguida, y sus claves para operadores dejan de funcionar.',
  },
  eraseUser: {
    link: 'Borrar el usuario',
    question: '¿Borrar a {name} para siempre?',
    lead: 'Se borran el nombre, la dirección y todo lo personal. Nadie puede recuperarlo.',
  },
  disableApp: {
    link: 'Desactivar',
    question: '¿Desactivar {name}?',
    lead: 'Todas las tiendas pierden la conexión con ella en un minuto, y sus webhooks se pausan. Su partner lee el motivo y no puede activarla.',
  },
  enableApp: {
    link: 'Devolver al partner',
    question: '¿Devolver {name} a su partner?',
    lead: 'Vuelve a ser un borrador. El partner la publica, y los comerciantes la conectan de nuevo.',
  },
  unblockHost: {
    link: 'Desbloquear',
    question: '¿Desbloquear {name}?',
    lead: 'Sus asistentes pueden volver a pedir acceso. Las personas los conectan de nuevo.',
  },
  drainShard: {
    link: 'Mover sus tiendas',
    question: '¿Vaciar la base de datos {name}?',
    lead: 'No admite tiendas nuevas, y todas sus tiendas pasan a otras bases de la región, pocas a la vez.',
  },
  pauseShardChanges: {
    link: 'Pausar los cambios',
    question: '¿Pausar los cambios largos de la base de datos {name}?',
    lead: 'Un paso en curso termina en medio minuto. Lo hecho queda hecho. La próxima versión puede esperarlos.',
  },
  continueShardChanges: {
    link: 'Continuar los cambios',
    question: '¿Continuar los cambios largos de la base de datos {name}?',
    lead: 'Siguen donde se pausaron. Un paso que falló se repite enseguida.',
  },
};
