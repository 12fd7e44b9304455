import type { Messages } from '../en/messages.ts';

/** The partner pages in Spanish. */
export const partnersInSpanish: Messages['partners'] = {
  list: {
    title: 'Apps para partners',
    caption: 'Tus apps',
    none: 'No tienes ninguna app. Registra una para recibir un client id.',
    register: 'Registrar una app',
    name: 'Nombre',
    clientId: 'Client id (identificador)',
    state: 'Estado',
    installs: 'Instalaciones',
  },
  states: { draft: 'Borrador', published: 'Publicada', disabled: 'Desactivada' },
  stateHints: {
    draft: 'Solo tus propias tiendas pueden conectarla.',
    published: 'Cualquier comerciante puede conectarla.',
    disabled: 'Nadie puede conectarla, y sus tokens se rechazan.',
  },
  form: {
    register: 'Registrar una app',
    edit: 'Editar {app}',
    name: 'Nombre de la app',
    nameHint: 'Los comerciantes lo leen cuando la app pide permiso. Hasta 80 caracteres.',
    nameMissing: 'Escribe el nombre de la app.',
    nameLong: 'El nombre tiene más de 80 caracteres.',
    publisher: 'Responsable',
    publisherHint: 'Quién hace la app: tu empresa o tú. Hasta 80 caracteres.',
    publisherMissing: 'Escribe el responsable.',
    publisherLong: 'El responsable tiene más de 80 caracteres.',
    uris: 'URI de redirección',
    urisHint:
      'Una por línea, 10 como máximo. Cada una empieza por https://, o por http:// para una dirección de loopback (127.0.0.1, [::1] o localhost), y no tiene comodín, fragmento ni nombre de usuario. Debe enviarse exactamente como está aquí. Solo el puerto de 127.0.0.1 y [::1] puede variar.',
    urisMissing: 'Escribe al menos una URI de redirección.',
    urisMany: 'Hay más de 10 URI de redirección.',
    line: 'Línea {line}: {problem}',
    scopes: 'Permisos',
    scopesHint:
      'Lo máximo que la app puede pedir a un comerciante. Quienes ya la conectaron conservan lo que permitieron.',
    presets: { read: 'Solo leer: todo', all: 'Todo' },
    careful: 'Requiere cuidado',
    tooMany: 'Tienes 50 apps, el máximo.',
    save: 'Guardar',
  },
  uris: {
    notUrl: 'no es una dirección completa.',
    tooLong: 'tiene más de 2.048 caracteres.',
    characters: 'contiene un espacio o un carácter de control.',
    scheme: 'debe empezar por https://, o por http:// para una dirección de loopback.',
    wildcard: 'contiene un comodín (*).',
    fragment: 'contiene un fragmento (#).',
    userInfo: 'contiene un nombre de usuario o una contraseña.',
    host: 'tiene un host con caracteres que no son letras, dígitos, puntos ni guiones.',
    privateAddress: 'es una dirección privada.',
    repeated: 'aparece dos veces.',
  },
  app: {
    flash: {
      registered: 'La app está registrada. Es un borrador hasta que la publiques.',
      saved: 'Tus cambios están guardados.',
      published: 'La app está publicada.',
      withdrawn: 'La app vuelve a ser un borrador.',
      disabled: 'La app está desactivada.',
    },
    registered: 'Registrada el',
    edit: 'Editar',
    publish: 'Publicar',
    withdraw: 'Pasar a borrador',
    disable: 'Desactivar',
    events: 'Eventos de seguridad',
    eventsCaption: 'Los 50 eventos más recientes',
    noEvents:
      'Todavía no ha pasado nada. Aquí aparecen los eventos que terminan una conexión o indican un robo.',
    event: 'Evento',
    merchant: 'Tienda',
    at: 'Cuándo',
  },
  kinds: {
    code_replayed: 'Un código de autorización se usó por segunda vez. La conexión terminó.',
    refresh_token_reused:
      'Un refresh token ya usado se envió otra vez y puede haber sido robado. La conexión terminó.',
    revoked_by_app: 'La app revocó la conexión.',
    disconnected_by_merchant: 'El comerciante desconectó la app.',
    app_withdrawn: 'La app se desactivó o pasó a borrador. La conexión terminó.',
    member_removed: 'El miembro que había autorizado la app ya no administra la tienda.',
    consent_ended: 'Terminó el consentimiento del miembro que había autorizado la app.',
    too_many_grants: 'Una conexión más nueva con la misma tienda reemplazó a esta.',
    grant_fast_forwarded:
      'Restauramos un estado anterior, y la conexión se actualizó con su último token.',
    refresh_recovered: 'Un reintento tardío recibió de nuevo la respuesta de una renovación.',
    other: 'Pasó otra cosa.',
  },
  confirm: {
    publish: '¿Publicar {app}?',
    publishLead: 'Después, cualquier comerciante puede conectarla.',
    withdraw: '¿Pasar {app} a borrador?',
    withdrawLead:
      'Todas sus conexiones terminan enseguida: sus tokens se rechazan y sus webhooks se pausan, también en tus propias tiendas. Después solo tus propias tiendas pueden conectarla.',
    reactivateLead: 'Vuelve a funcionar, pero solo en tus propias tiendas hasta que la publiques.',
    disable: '¿Desactivar {app}?',
    disableLead:
      'Todas sus conexiones terminan enseguida: sus tokens se rechazan y sus webhooks se pausan en todas las tiendas. Nadie más puede conectarla.',
    disableLater:
      'Puedes pasarla a borrador más tarde, pero los comerciantes tendrán que conectarla de nuevo.',
    installs: 'Tiendas conectadas ahora: {count}.',
  },
};
