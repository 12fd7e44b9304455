import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** Operations of the user, the settings, webhooks and the feed of events. */
export const platformOperationTexts: DocumentTexts['operations'] = {
  showMe: {
    en: {
      summary: 'Show the signed-in user',
      description:
        'Reads who you are and which stores your credentials reach. Make it your first call: the alias of a store is part of all other paths.',
    },
    'pt-BR': 'Ver o usuário da credencial',
    es: 'Ver el usuario de la credencial',
  },
  configureEmails: {
    en: {
      summary: 'Set the mail account',
      description:
        'Says which account the store sends its mails with. Send all fields, also to change one.',
    },
    'pt-BR': 'Definir a conta de e-mail',
    es: 'Definir la cuenta de correo',
  },
  showEmailConfiguration: {
    en: {
      summary: 'Show the mail account',
      description: "Reads the sender of the store's mails, without its password and server.",
    },
    'pt-BR': 'Ver a conta de e-mail',
    es: 'Ver la cuenta de correo',
  },
  showSettings: {
    en: {
      summary: 'Show the settings',
      description: 'Reads the settings of the store, defaults included.',
    },
    'pt-BR': 'Ver as configurações',
    es: 'Ver los ajustes',
  },
  listActivity: {
    en: {
      summary: 'List the activity',
      description:
        'Reads who changed members, keys, apps, webhooks and settings of the store, when, and from where.',
    },
    'pt-BR': 'Listar a atividade',
    es: 'Listar la actividad',
  },
  listRequests: {
    en: {
      summary: 'List your requests',
      description:
        'Reads what your API key or app sent to the store in the past seven days, and what came back.',
    },
    'pt-BR': 'Listar as suas requisições',
    es: 'Listar sus solicitudes',
  },
  changeSettings: {
    en: {
      summary: 'Change the settings',
      description: 'Changes the settings that you send, such as how long a cart may be idle.',
    },
    'pt-BR': 'Alterar as configurações',
    es: 'Cambiar los ajustes',
  },
  listWebhookEvents: {
    en: {
      summary: 'List event names',
      description: 'Reads the events that a webhook can subscribe to.',
    },
    'pt-BR': 'Listar os nomes dos eventos',
    es: 'Listar los nombres de los eventos',
  },
  listWebhooks: {
    en: {
      summary: 'List webhooks',
      description:
        'Reads the subscriptions, and whether each is active. Check it from time to time: one that fails for five days is turned off.',
    },
    'pt-BR': 'Listar webhooks',
    es: 'Listar webhooks',
  },
  createWebhook: {
    en: {
      summary: 'Create a webhook',
      description:
        'Subscribes an address to events. From now on each event is sent there as a signed POST, at least once; answer with 2xx within 5 seconds.',
    },
    'pt-BR': 'Criar um webhook',
    es: 'Crear un webhook',
  },
  updateOrderWebhook: {
    en: {
      summary: 'Change a webhook (older path)',
      description: 'Changes address, events or name, or holds deliveries for a while.',
    },
    'pt-BR': 'Alterar um webhook (caminho antigo)',
    es: 'Cambiar un webhook (ruta antigua)',
  },
  deleteOrderWebhook: {
    en: {
      summary: 'Delete a webhook (older path)',
      description: 'Ends the subscription at once. Deliveries that were not sent are cancelled.',
    },
    'pt-BR': 'Excluir um webhook (caminho antigo)',
    es: 'Eliminar un webhook (ruta antigua)',
  },
  showWebhook: {
    en: {
      summary: 'Show a webhook',
      description: 'Reads one subscription, for instance to see whether it is still active.',
    },
    'pt-BR': 'Ver um webhook',
    es: 'Ver un webhook',
  },
  updateWebhook: {
    en: {
      summary: 'Change a webhook',
      description: 'Changes address, events or name, or holds deliveries for a while.',
    },
    'pt-BR': 'Alterar um webhook',
    es: 'Cambiar un webhook',
  },
  deleteWebhook: {
    en: {
      summary: 'Delete a webhook',
      description:
        'Ends the subscription at once. Deliveries that were not sent are cancelled; the log stays readable for its usual time.',
    },
    'pt-BR': 'Excluir um webhook',
    es: 'Eliminar un webhook',
  },
  listWebhookDeliveries: {
    en: {
      summary: 'List deliveries',
      description:
        'Reads what was sent to a webhook and what your address answered. Start here when events seem to be missing.',
    },
    'pt-BR': 'Listar entregas',
    es: 'Listar entregas',
  },
  showWebhookDelivery: {
    en: {
      summary: 'Show a delivery',
      description:
        'Reads one delivery: the exact body that was signed, and each attempt with the answer of your address.',
    },
    'pt-BR': 'Ver uma entrega',
    es: 'Ver una entrega',
  },
  sendWebhookDelivery: {
    en: {
      summary: 'Send a held delivery now',
      description:
        'Sends one delivery that waits because its webhook is paused or was switched off, and returns it with the answer of your address.',
    },
    'pt-BR': 'Enviar agora uma entrega retida',
    es: 'Enviar ahora una entrega retenida',
  },
  showWebhookStats: {
    en: {
      summary: 'Show how a webhook does',
      description:
        'Reads how many deliveries arrived, how fast your address answers, and how many wait. Use it for your monitoring.',
    },
    'pt-BR': 'Ver o desempenho de um webhook',
    es: 'Ver el rendimiento de un webhook',
  },
  explainWebhookFailures: {
    en: {
      summary: 'Explain why a webhook fails',
      description:
        'Says in words how a webhook does, why its newest attempts failed, and what to do about each cause. The first call when events do not arrive.',
    },
    'pt-BR': 'Explicar por que um webhook falha',
    es: 'Explicar por qué falla un webhook',
  },
  listWebhookReplays: {
    en: {
      summary: 'List replays',
      description: 'Reads which deliveries were asked for again, and how far each replay is.',
    },
    'pt-BR': 'Listar reenvios',
    es: 'Listar reenvíos',
  },
  createWebhookReplay: {
    en: {
      summary: 'Send deliveries again',
      description:
        'Repeats one delivery, one event or a range of time, for instance after a fault at your end. Receivers tell a repetition by its webhook-id.',
    },
    'pt-BR': 'Enviar entregas de novo',
    es: 'Enviar entregas otra vez',
  },
  showWebhookReplay: {
    en: {
      summary: 'Show a replay',
      description:
        'Reads how far a replay is: how many deliveries it has made, and how many it left out.',
    },
    'pt-BR': 'Ver um reenvio',
    es: 'Ver un reenvío',
  },
  pingWebhook: {
    en: {
      summary: 'Ping a webhook',
      description:
        'Sends a test delivery to the address and waits for its answer. Use it after a change of address or secret.',
    },
    'pt-BR': 'Testar um webhook',
    es: 'Probar un webhook',
  },
  rotateWebhookSecret: {
    en: {
      summary: 'Rotate the signing secret',
      description:
        'Makes a new signing secret while the old one stays valid, so that your receivers can change without losing a delivery.',
    },
    'pt-BR': 'Trocar a chave de assinatura',
    es: 'Cambiar la clave de firma',
  },
  commitWebhookSecret: {
    en: {
      summary: 'Commit the new signing secret',
      description:
        'Ends the first half of a rotation early, once all your receivers know the new secret.',
    },
    'pt-BR': 'Confirmar a nova chave de assinatura',
    es: 'Confirmar la nueva clave de firma',
  },
  resumeWebhook: {
    en: {
      summary: 'Resume a webhook',
      description:
        'Turns on a webhook that was paused or disabled, and says which of the held deliveries are still to be sent.',
    },
    'pt-BR': 'Reativar um webhook',
    es: 'Reanudar un webhook',
  },
  listEvents: {
    en: {
      summary: 'Read the feed of events',
      description:
        'Reads events in their order, without a receiver. Use it to catch up after a gap, or instead of webhooks: keep the id of the last event and ask again with after_id.',
    },
    'pt-BR': 'Ler o feed de eventos',
    es: 'Leer el feed de eventos',
  },
  replayEvent: {
    en: {
      summary: 'Send an event again',
      description: 'Repeats one event to the webhooks that it was meant for.',
    },
    'pt-BR': 'Enviar um evento de novo',
    es: 'Enviar un evento otra vez',
  },
};
