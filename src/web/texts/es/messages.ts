import type { Messages } from '../en/messages.ts';
import { accountInSpanish } from './account.ts';
import { activityInSpanish } from './activity.ts';
import { apiKeysInSpanish } from './api-keys.ts';
import { appWebhookInSpanish } from './app-webhook.ts';
import { commonInSpanish } from './common.ts';
import { deliveriesInSpanish } from './deliveries.ts';
import { homeInSpanish } from './home.ts';
import { membersInSpanish } from './members.ts';
import { navigationInSpanish } from './navigation.ts';
import { notificationsInSpanish } from './notifications.ts';
import { operatorInSpanish } from './operator.ts';
import { partnerToolsInSpanish } from './partner-tools.ts';
import { partnersInSpanish } from './partners.ts';
import { scopesInSpanish } from './scopes.ts';
import { securityInSpanish } from './security.ts';
import { storesInSpanish } from './stores.ts';
import { transfersInSpanish } from './transfers.ts';
import { webhookFormsInSpanish } from './webhook-forms.ts';
import { webhooksInSpanish } from './webhooks.ts';

/** The messages in Spanish. */
export const spanishMessages: Messages = {
  skip: 'Ir al contenido',
  language: 'Idioma',
  errorSummary: 'Hay un problema',
  signIn: {
    title: 'Iniciar sesión',
    waiting: '{app} quiere conectarse a tu tienda. Inicia sesión para ver qué pide.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    emailMissing: 'Escribe tu correo electrónico.',
    passwordMissing: 'Escribe tu contraseña.',
    wrong: 'El correo electrónico o la contraseña no son correctos.',
    wait: 'Demasiados intentos. Vuelve a intentarlo en {time}.',
    busy: 'Demasiadas personas están iniciando sesión en este momento. Vuelve a intentarlo en {time}.',
    mails: 'Demasiados correos. Vuelve a intentarlo en {time}.',
    signedOut: 'Cerraste la sesión.',
    signedOutEverywhere: 'Cerraste la sesión en todos los dispositivos.',
  },
  session: {
    as: 'Iniciaste sesión como {name} ({email}).',
    signOut: 'Cerrar sesión',
    signOutEverywhere: 'Cerrar sesión en todos los dispositivos',
    everywhereHint:
      'Si perdiste un dispositivo o usaste uno que no es tuyo, cierra la sesión en todos.',
    other: 'Usar otra cuenta',
  },
  store: {
    title: 'Elige una tienda',
    lead: '{app} quiere conectarse a una de tus tiendas. ¿A cuál?',
    owner: 'Esta tienda es tuya',
    manager: 'Administras esta tienda',
    viewer: 'Puedes ver esta tienda',
    none: 'No hay ninguna tienda para conectar',
    noneLead: 'No tienes ninguna tienda activa que {app} pueda usar. No cambió nada.',
    noneDraft:
      '{app} todavía es un borrador, así que solo funciona en las tiendas de quien la desarrolla.',
    foreign: 'No puedes conectar esta tienda',
    foreignLead:
      'No existe, está cerrada o no la administras. No se decidió nada y ninguna tienda cambió.',
    chooseAnother: 'Elegir otra tienda',
  },
  consent: {
    title: 'Conectar una app',
    heading: '¿Conectar {app}?',
    installs: 'Tiendas conectadas',
    since: 'Registrada el',
    asks: '{app} quiere usar tu tienda {store}.',
    draft: 'Esta app es un borrador. Solo tus propias tiendas pueden usarla.',
    may: 'Qué puede hacer',
    careful: 'Ten cuidado',
    carefulLead: 'Permite esto solo si confías en quien desarrolla la app.',
    also: 'También: {areas}',
    always: 'Ver tu nombre, tu correo electrónico y el nombre de esta tienda.',
    returns: 'En ambos casos vuelves después a {host}.',
    returnsLocal:
      'En ambos casos vuelves después a un programa de este dispositivo ({host}). Continúa solo si lo abriste tú.',
    disconnect: 'Puedes desconectar la app cuando quieras en Apps conectadas.',
    approve: 'Autorizar',
    deny: 'Rechazar',
    agent: {
      title: '¿Dejar que un asistente use tu tienda?',
      asks: 'Un asistente pide usar tu tienda {store}. Es un programa que decide por sí mismo qué hacer por ti.',
      from: 'Viene de',
      verified: 'verificado',
      thisDevice: 'un programa de este dispositivo ({host})',
      name: 'Se llama a sí mismo',
      claimed: 'Dice que es de',
      notVerified: 'no verificado',
      careful:
        'Cualquiera puede elegir el nombre de un asistente. Continúa solo si acabas de empezar esto tú.',
      readOnly: 'Solo leer',
      readOnlyMeaning: 'Ve las áreas de abajo y no cambia nada.',
      change: 'Leer y cambiar',
      changeMeaning: 'También crea, cambia y elimina en las áreas de abajo.',
      risk: 'Si puede cambiar:',
      more: 'Más sobre {areas}',
      areas: 'Áreas de tu tienda',
      usual: 'Catálogo y ventas',
      sensitive: 'Dinero, clientes y ajustes: marca solo lo que necesita',
      nothing: 'Marca al menos un área, o rechaza.',
      tooMany:
        'Ya conectaste este asistente a esta tienda {count} veces. En Apps conectadas, desconecta tus conexiones y empieza de nuevo.',
      always: 'En todo caso ve tu nombre, tu correo y el nombre de esta tienda.',
      ends: 'Puedes terminarlo cuando quieras en Apps conectadas. Termina por sí solo después de 90 días sin uso.',
    },
  },
  invalidLink: {
    title: 'Este enlace no funciona',
    fault:
      'La app que te trajo aquí cometió un error. No es culpa tuya, y no cambió nada en tu tienda.',
    advice: 'Vuelve a la app e inténtalo de nuevo. Si se repite, avisa a quien la desarrolla.',
    back: 'Volver a la app en {host}',
    forDevelopers: 'Para desarrolladores: {reason}',
    urlTooLong: 'la dirección tiene más de 8.192 caracteres.',
    missing: 'falta {parameter}.',
    repeated: '{parameter} llegó dos veces.',
    client: 'ninguna app disponible tiene este client_id: {value}',
    redirectUri: 'la app no registró este redirect_uri: {value}',
    document:
      'el documento de metadatos en client_id no se puede leer, o no describe este cliente.',
    confidential:
      'el cliente de client_id no es público: su documento debe tener token_endpoint_auth_method none, o none entre token_endpoint_auth_methods_supported. Tiene: {value}',
    blocked: 'los clientes de este host están bloqueados aquí.',
  },
  decided: {
    title: 'Ya decidiste',
    lead: 'Ya enviaste esta decisión, y vale la primera. Vuelve a la app para ver el resultado.',
  },
  expired: {
    title: 'Esta página venció',
    lead: 'Estuvo abierta demasiado tiempo. No se decidió nada y no cambió nada en tu tienda.',
    again: 'Empezar de nuevo',
  },
  error: {
    home: 'Ir a mi cuenta',
    start: 'Ir a la página de inicio',
    badForm: 'Este formulario no se puede usar',
    badFormLead:
      'No llegó tal como te lo enviamos, así que no se hizo nada. Vuelve a la app o página de la que vienes y empieza de nuevo.',
    foreignForm: 'Este formulario no es tuyo',
    foreignFormLead:
      'Se hizo para otro navegador, llegó desde otro sitio, o iniciaste o cerraste sesión después de abrirlo. No se hizo nada. Vuelve a la app o página de la que vienes y empieza de nuevo.',
    notFound: 'Esta página no existe',
    notFoundLead: 'No existe o no es tuya. No cambió nada. Sigue desde tu cuenta.',
    tooMany: 'Demasiadas solicitudes',
    tooManyLead: 'No se hizo nada. Vuelve a intentarlo en {time}.',
    unavailable: 'No podemos responder ahora',
    unavailableLead: 'Es culpa nuestra. Vuelve a intentarlo en un momento.',
    failed: 'Algo salió mal',
    failedLead: 'Es culpa nuestra. Vuelve a intentarlo; si se repite, dinos este número: {request}',
  },
  scopes: scopesInSpanish,
  common: commonInSpanish,
  home: homeInSpanish,
  navigation: navigationInSpanish,
  notifications: notificationsInSpanish,
  account: accountInSpanish,
  apiKeys: apiKeysInSpanish,
  activity: activityInSpanish,
  operator: operatorInSpanish,
  members: membersInSpanish,
  stores: storesInSpanish,
  transfers: transfersInSpanish,
  webhooks: webhooksInSpanish,
  webhookForms: webhookFormsInSpanish,
  deliveries: deliveriesInSpanish,
  partners: partnersInSpanish,
  partnerTools: partnerToolsInSpanish,
  appWebhook: appWebhookInSpanish,
  security: securityInSpanish,
};
