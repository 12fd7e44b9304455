import type { MailTexts } from './mail-texts.ts';

export const spanishMails: MailTexts = {
  greeting: 'Hola, {name}:',
  greetingWithoutName: 'Hola:',
  openAddress: 'Si el botón no funciona, abre esta dirección:',
  reasons: {
    address:
      'Recibes este correo porque alguien escribió esta dirección en {service}. Si no sabes por qué, ignóralo: no pasa nada.',
    account:
      'Recibes este correo porque trata de la seguridad de tu cuenta en {service}. Estos correos no se pueden desactivar.',
    store: 'Recibes este correo porque formas parte de esta tienda en {service}.',
    partner: 'Recibes este correo porque desarrollas apps para {service}.',
    operators: 'Recibes este correo porque operas {service}.',
  },
  unsubscribe: 'No recibir más correos de este tipo',
  preferences: 'Elegir qué correos recibir',
  support: '¿Preguntas? Escribe a {address}.',
  roles: { owner: 'dueño', manager: 'gestor', viewer: 'lector' },
  mails: {
    invitation_user: {
      subject: 'Tienes una invitación a {service}',
      body: [
        '{inviter} creó una cuenta para ti. Elige una contraseña para empezar a usarla.',
        'El enlace funciona una sola vez, durante 7 días.',
      ],
      button: 'Aceptar la invitación',
    },
    invitation_store: {
      subject: 'Tienes una invitación a una tienda en {service}',
      body: [
        '{inviter} te invita a trabajar en la tienda {store}. Tu rol: {role}.',
        'El enlace funciona una sola vez, durante 7 días.',
      ],
      button: 'Aceptar la invitación',
    },
    invitation_partner: {
      subject: 'Tienes una invitación a un equipo en {service}',
      body: [
        '{inviter} te invita a ocuparse juntos de sus apps.',
        'El enlace funciona una sola vez, durante 7 días.',
      ],
      button: 'Aceptar la invitación',
    },
    sign_up: {
      subject: 'Confirma tu dirección',
      body: [
        'Confirma que esta dirección es tuya y tu cuenta estará lista.',
        'El enlace funciona una sola vez, durante 24 horas. Si no te registraste, ignora este correo: no se crea ninguna cuenta.',
      ],
      button: 'Confirmar y continuar',
    },
    sign_up_known: {
      subject: 'Ya tienes una cuenta',
      body: [
        'Alguien quiso registrarse con esta dirección, pero ya tiene una cuenta. No cambió nada.',
        'Si fuiste tú, inicia sesión como siempre. Si olvidaste la contraseña, elige otra.',
      ],
      button: 'Elegir otra contraseña',
    },
    password_reset: {
      subject: 'Elige una contraseña nueva',
      body: [
        'Ya puedes elegir una contraseña nueva. Esto cierra todas tus sesiones.',
        'El enlace funciona una sola vez, durante 30 minutos. Si no lo pediste, ignora este correo: tu contraseña sigue igual.',
      ],
      button: 'Elegir una contraseña nueva',
    },
    password_changed: {
      subject: 'Se cambió tu contraseña',
      body: [
        'Se cambió la contraseña de tu cuenta.',
        'Si no fuiste tú, elige otra de inmediato. Esto cierra todas las sesiones.',
      ],
      button: 'No fui yo',
    },
    email_change_requested: {
      subject: 'Tu dirección está a punto de cambiar',
      body: [
        'Alguien que inició sesión en tu cuenta quiere cambiar su dirección a {newEmail}. Cambiará cuando se confirme esa dirección.',
        'Si no fuiste tú, cambia tu contraseña de inmediato y cierra todas las sesiones.',
      ],
      button: 'Ver mi cuenta',
    },
    email_confirmation: {
      subject: 'Confirma tu nueva dirección',
      body: [
        'Confirma que esta dirección es tuya. Desde entonces inicias sesión con ella.',
        'El enlace funciona una sola vez, durante 24 horas.',
      ],
      button: 'Confirmar la dirección',
    },
    email_changed: {
      subject: 'Se cambió tu dirección',
      body: [
        'La dirección de tu cuenta es ahora {newEmail}.',
        'Si no fuiste tú, deshaz el cambio en un plazo de 7 días. Esto cierra todas las sesiones.',
      ],
      button: 'Deshacer el cambio',
    },
    email_change_undone: {
      subject: 'Tu dirección ha vuelto',
      body: [
        'El cambio de tu dirección se deshizo, y los correos sobre tu cuenta vuelven a llegar aquí. Los de ese tiempo fueron a la otra dirección.',
        'Lo que se hizo en tu cuenta en ese tiempo terminó o se deshizo donde es posible. Abajo está lo que encontramos. Revisa lo que permanece. Una lista vacía significa que no se hizo nada.',
      ],
      button: 'Ver mi cuenta',
    },
    doors_shut: {
      subject: 'Todas las puertas de tu cuenta están cerradas',
      body: [
        'Un dispositivo con la sesión abierta cerró todas las puertas de tu cuenta: se cerró la sesión en los demás dispositivos, y terminaron las claves de API, las conexiones de apps, las invitaciones y los enlaces abiertos. Puede haber webhooks en pausa.',
        'Si fuiste tú, elige ahora una nueva contraseña y después crea las claves de API que necesites. Si no fuiste tú, elige una nueva contraseña de inmediato.',
      ],
      button: 'Ver mi cuenta',
    },
    new_sign_in: {
      subject: 'Nuevo inicio de sesión: {country}',
      body: [
        'Alguien inició sesión en tu cuenta desde un país nuevo: {country}. Dispositivo: {device}.',
        'Si fuiste tú, todo está bien. Si no, cierra esa sesión y cambia tu contraseña.',
      ],
      button: 'Ver mis sesiones',
    },
    new_sign_in_somewhere: {
      subject: 'Nuevo inicio de sesión en tu cuenta',
      body: [
        'Alguien inició sesión en tu cuenta desde un lugar nuevo. Dispositivo: {device}.',
        'Si fuiste tú, todo está bien. Si no, cierra esa sesión y cambia tu contraseña.',
      ],
      button: 'Ver mis sesiones',
    },
    api_key_created: {
      subject: 'Nueva clave de API',
      body: [
        'La clave de API {name}, que termina en {lastFour}, se creó en tu cuenta.',
        'Si no fuiste tú, revócala y cambia tu contraseña.',
      ],
      button: 'Ver mis claves de API',
    },
    api_key_revoked: {
      subject: 'Se revocó una clave de API',
      body: [
        'Una persona operadora de {service} revocó la clave de API {name}, que termina en {lastFour}. Lo que la usa dejó de funcionar. Motivo: {reason}',
        'Crea una clave nueva y ponla en el lugar de la anterior. Si crees que es un error, escribe a {contact}.',
      ],
      button: 'Ver mis claves de API',
    },
    recovery_code_used: {
      subject: 'Se usó un código de recuperación',
      body: [
        'Uno de tus códigos de recuperación se usó en lugar de tu app de autenticación. Códigos que quedan: {count}.',
        'Si no fuiste tú, cambia tu contraseña enseguida: eso cierra todas las sesiones. Después crea códigos nuevos.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    user_deactivated: {
      subject: 'Tu cuenta está bloqueada',
      body: [
        'Bloqueamos tu cuenta en {service}. No puedes entrar, tus claves de API no funcionan, y las apps que conectaste perdieron el acceso. Tus tiendas siguen como están. Motivo: {reason}',
        'Si crees que es un error, escribe a {contact} desde esta dirección.',
      ],
    },
    second_factor_on: {
      subject: 'La verificación en dos pasos está activada',
      body: [
        'Tu cuenta pide ahora un código de tu aplicación de autenticación en cada inicio de sesión.',
        'Si no fuiste tú, elige una contraseña nueva de inmediato.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    second_factor_off: {
      subject: 'La verificación en dos pasos está desactivada',
      body: [
        'Tu cuenta ya no pide un código al iniciar sesión. Basta con la contraseña.',
        'Si no fuiste tú, actívala de nuevo y cambia tu contraseña.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    second_factor_codes: {
      subject: 'Nuevos códigos de recuperación',
      body: [
        'Se crearon nuevos códigos de recuperación para tu cuenta. Los anteriores ya no funcionan.',
        'Si no fuiste tú, crea otros y cambia tu contraseña.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    second_factor_removed: {
      subject: 'Se quitó tu verificación en dos pasos',
      body: [
        'Una persona operadora de {service} quitó la verificación en dos pasos de tu cuenta, como se avisó hace un día. Tu contraseña sola basta para iniciar sesión, y se cerró la sesión en todos los dispositivos.',
        'Inicia sesión y configúrala de nuevo. Si no lo pediste, elige antes una contraseña nueva.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    passkey_added: {
      subject: 'Se añadió una llave de acceso',
      body: [
        'Se añadió una llave de acceso a tu cuenta: {name}. Con ella se inicia sesión en tu cuenta.',
        'Si no fuiste tú, quítala en la página de seguridad y cambia tu contraseña.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    passkey_removed: {
      subject: 'Se quitó una llave de acceso',
      body: [
        'Se quitó una llave de acceso de tu cuenta: {name}. Se cerró la sesión en todos los demás dispositivos.',
        'Si no fuiste tú, cambia tu contraseña.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    passkey_blocked: {
      subject: 'Una llave de acceso está bloqueada',
      body: [
        'Una llave de acceso de tu cuenta está bloqueada: {name}. Su dispositivo respondió como lo haría una copia.',
        'Quítala en la página de seguridad y crea una nueva en un dispositivo que solo uses tú.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    device_remembered: {
      subject: 'Se recordará un dispositivo',
      body: [
        'Durante 30 días, un dispositivo inicia sesión en tu cuenta solo con la contraseña: {device}. En él se escribió un código correcto.',
        'Si no fuiste tú, olvídalo en la página de seguridad y cambia tu contraseña.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    codes_guessed: {
      subject: 'Códigos incorrectos en tu cuenta',
      body: [
        'Alguien escribió {count} códigos incorrectos en tu cuenta en una hora, y tenía tu contraseña. Otros códigos tendrán que esperar.',
        'Si no fuiste tú, cambia tu contraseña y cierra sesión en todas partes.',
      ],
      button: 'Seguridad de mi cuenta',
    },
    second_factor_removal: {
      subject: 'Mañana se quitará tu verificación en dos pasos',
      body: [
        'Una persona operadora de {service} quita la verificación en dos pasos de tu cuenta en 24 horas. Motivo: {reason}.',
        'Si perdiste el teléfono y lo pediste, no hagas nada. Tu contraseña sigue igual.',
        'Si no lo pediste, conserva la verificación en dos pasos. El botón funciona una vez, en 24 horas.',
      ],
      button: 'Conservar la verificación en dos pasos',
    },
    app_connected: {
      subject: 'App conectada a {store}',
      body: [
        'La app {app}, de {publisher}, está ahora conectada a la tienda {store}.',
        'En tu cuenta ves lo que puede hacer y puedes desconectarla.',
      ],
      button: 'Ver apps conectadas',
    },
    app_disconnected: {
      subject: 'App desconectada de {store}',
      body: [
        'La app {app} ya no está conectada a la tienda {store}. Su acceso terminó y sus webhooks están en pausa.',
      ],
      button: 'Ver apps conectadas',
    },
    app_address_changed: {
      subject: 'Se cambió una dirección de una app',
      body: [
        '{member} cambió una dirección de la app {app}. Ahora lleva a {host}.',
        'La actividad de tu equipo muestra qué había antes. Si no conoces esta dirección, deshaz el cambio y quita del equipo a quien lo hizo.',
      ],
      button: 'Ver la actividad',
    },
    app_secret_changed: {
      subject: 'Una app tiene una nueva clave de firma',
      body: [
        '{member} reemplazó la clave que firma los eventos de la app {app}.',
        'Si no lo esperabas, pregúntale y reemplaza la clave otra vez.',
      ],
      button: 'Ver la actividad',
    },
    app_disabled: {
      subject: 'Una de tus apps fue desactivada',
      body: [
        'Desactivamos la app {app}. Sus conexiones terminaron, y nadie puede conectarla. Motivo: {reason}',
        'Si crees que es un error, escribe a {contact}. Cuenta qué cambiaste: una persona operadora puede devolverte la app.',
      ],
      button: 'Ver tus apps',
    },
    member_invited: {
      subject: 'Se invitó a una persona a tu tienda',
      body: [
        'Una persona operadora de {service} invitó a {email} a la tienda {store}. Rol: {role}. Motivo: {reason}.',
        'La invitación se puede anular en la página de los miembros hasta que se acepte.',
      ],
      button: 'Ver los miembros',
    },
    member_added: {
      subject: 'Un nuevo miembro trabaja en {store}',
      body: ['{member} aceptó la invitación a la tienda {store}. Rol: {role}.'],
      button: 'Ver mis tiendas',
    },
    member_removed: {
      subject: 'Un miembro ya no trabaja en {store}',
      body: ['{member} ya no forma parte de la tienda {store}. Su acceso terminó.'],
      button: 'Ver mis tiendas',
    },
    you_were_removed: {
      subject: 'Ya no trabajas en una tienda',
      body: ['Ya no formas parte de la tienda {store}. Tu cuenta y tus otras tiendas siguen.'],
    },
    role_changed: {
      subject: 'Tienes otro rol en {store}',
      body: ['Tu rol en la tienda {store} ahora es: {role}. Lo cambió {by}.'],
      button: 'Ver mis tiendas',
    },
    ownership_handed_over: {
      subject: '{store} tiene un nuevo dueño',
      body: ['La tienda {store} pertenece ahora a {member}.'],
      button: 'Ver mis tiendas',
    },
    webhook_destination: {
      subject: 'Los eventos de {store} van a una nueva dirección',
      body: [
        'Los eventos de la tienda {store} se envían ahora a {host}: se creó un webhook o se cambió su dirección.',
        'La actividad de la tienda muestra quién lo hizo. Si no conoces este destino, elimina el webhook y revoca la clave o la app.',
      ],
      button: 'Ver los webhooks',
    },
    webhook_failing: {
      subject: 'Un webhook de {store} falla desde hace {hours} horas',
      body: [
        'El destino {host} no acepta ningún evento de la tienda {store} desde hace {hours} horas.',
        'Seguimos intentándolo. Después de 120 horas, el webhook se desactiva. Pide a quien administra el destino que lo revise.',
      ],
      button: 'Ver los webhooks',
    },
    webhook_switched_off: {
      subject: 'Se desactivó un webhook de {store}',
      body: [
        'El destino {host} no aceptó los eventos de la tienda {store}, por eso se desactivó su webhook.',
        'Los eventos se guardan. Cuando el destino vuelva a funcionar, activa el webhook y se enviarán.',
      ],
      button: 'Ver los webhooks',
    },
    app_webhook_switched_off: {
      subject: 'Se desactivó el webhook de una app',
      body: [
        'El destino {host} no aceptó los eventos de tu app {app}, así que su webhook se desactivó.',
        'Los eventos se guardan 30 días. Cuando el destino vuelva a funcionar, abre el webhook de la app y guárdalo: se enviarán.',
      ],
      button: 'Ver mis apps',
    },
    event_budget: {
      subject: '{store} usó el {percent} % de sus eventos de hoy',
      body: [
        'La tienda {store} registró el {percent} % de los {budget} de eventos que puede registrar hoy (UTC).',
        'Más allá, las importaciones y las llamadas que cambian muchos precios son más lentas. Lo demás sigue como antes. Busca un programa que cambie los mismos registros una y otra vez.',
      ],
      button: 'Ver los webhooks',
    },
    export_ready: {
      subject: 'La exportación de {store} está lista',
      body: ['El archivo que pediste está listo. Descárgalo antes de que se elimine.'],
      button: 'Descargar',
    },
    store_made: {
      subject: 'Una tienda es tuya',
      body: [
        '{inviter} abrió la tienda {store} para ti. Es tuya.',
        'Inicia sesión con tu contraseña de siempre y verás la tienda en tu cuenta.',
      ],
      button: 'Ver mis tiendas',
    },
    store_deactivated: {
      subject: 'La tienda {store} fue desactivada',
      body: [
        'La tienda {store} fue desactivada. Motivo: {reason}.',
        'No se envía ni se cobra nada por ella. Sus datos se conservan. Si crees que es un error, escribe a {contact}.',
      ],
      button: 'Ver mis tiendas',
    },
    store_reactivated: {
      subject: 'La tienda {store} está activa de nuevo',
      body: ['La tienda {store} está activa de nuevo. Lo que esperaba continúa ahora.'],
      button: 'Ver mis tiendas',
    },
    store_closing: {
      subject: 'Los datos de {store} se borrarán el {date}',
      body: [
        'La tienda {store} está cerrada. El {date} todos sus datos se borran para siempre.',
        'Si aún los necesitas, pide una exportación antes.',
      ],
      button: 'Ver mis tiendas',
    },
    store_erasure_asked: {
      subject: 'Se pidió borrar los datos de {store}',
      body: [
        'Una persona operadora de {service} pidió que se borren para siempre todos los datos de la tienda {store}. Motivo: {reason}.',
        'Otra persona operadora debe confirmarlo. Cuando lo haga, la tienda se cierra y sus datos se borran un día después; entonces recibes un correo.',
        'Si es un error, o si necesitas los datos, avísanos ahora: {contact}.',
      ],
      button: 'Ver mis tiendas',
    },
    store_erasure_confirmed: {
      subject: 'Los datos de {store} se borrarán en un día',
      body: [
        'Dos personas operadoras de {service} decidieron que se borren para siempre todos los datos de la tienda {store}, 24 horas después de este correo ({date}). Motivo: {reason}. La tienda está cerrada.',
        'Hasta entonces cualquier persona operadora puede impedirlo. Si es un error, o si necesitas los datos, avísanos enseguida: {contact}.',
      ],
      button: 'Ver mis tiendas',
    },
    operator_made: {
      subject: 'Ahora eres operador',
      body: [
        'Tu cuenta puede ocuparse ahora de todas las tiendas y usuarios de {service}.',
        'Si no lo esperabas, avisa a otro operador de inmediato.',
      ],
      button: 'Abrir las páginas de operación',
    },
    operator_added: {
      subject: 'Hay un operador nuevo',
      body: [
        '{by} hizo operador a un usuario, que ahora puede ocuparse de todas las tiendas y usuarios de {service}. Motivo: {reason}.',
        'Si no lo esperabas, quita esos poderes de inmediato.',
      ],
      button: 'Ver el usuario',
    },
    store_erasure_asked_told: {
      subject: 'Se pidió borrar una tienda',
      body: [
        '{by} pidió que se borren para siempre todos los datos de la tienda {store}. Motivo: {reason}.',
        'El pedido espera a otra persona operadora. Si es un error, cancélalo en la página de la tienda.',
      ],
      button: 'Ver la tienda',
    },
    store_erasure_confirmed_told: {
      subject: 'Una tienda se borrará en un día',
      body: [
        '{by} confirmó que se borren para siempre todos los datos de la tienda {store}, 24 horas después de este correo ({date}). Motivo: {reason}. La tienda está cerrada.',
        'Hasta entonces puedes cancelarlo en la página de la tienda.',
      ],
      button: 'Ver la tienda',
    },
  },
};
