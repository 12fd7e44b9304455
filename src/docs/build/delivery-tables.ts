import type { Language } from '../../base/languages.ts';
import { eventNames, requiredScopes } from '../../data/grants/event-catalogue.ts';
import type { OpenApiDocument, ParameterObject } from '../../http/openapi/types.ts';
import { dictionaries } from '../../web/texts/messages.ts';
import { retryDelaysMs } from '../../webhooks/delivery/apply-result.ts';
import type { Table } from './markdown-table.ts';

const eventHeads: Record<Language, readonly string[]> = {
  en: ['Event', 'Meaning', 'Scope'],
  'pt-BR': ['Evento', 'Significado', 'Escopo'],
  es: ['Evento', 'Significado', 'Scope'],
};

/** Every event with the scopes that an app needs to receive it. */
export const eventTable = (language: Language): Table => ({
  head: eventHeads[language],
  rows: eventNames.map((name) => ({
    id: `event-${name}`,
    cells: [
      `[\`${name}\`](event:${name})`,
      dictionaries[language].webhooks.meanings[name],
      requiredScopes(name)
        .map((scope) => `\`${scope}\``)
        .join(', '),
    ],
  })),
});

const headerHeads: Record<Language, readonly string[]> = {
  en: ['Header', 'Example', 'Meaning'],
  'pt-BR': ['Cabeçalho', 'Exemplo', 'Significado'],
  es: ['Cabecera', 'Ejemplo', 'Significado'],
};

/** Meanings of the headers, by its name without that of the service. English is in the document. */
const headerMeanings: Record<Exclude<Language, 'en'>, Record<string, string>> = {
  'pt-BR': {
    'Hmac-SHA256': 'HMAC-SHA256 do corpo com o segredo como chave, em Base64.',
    'Hmac-SHA256-Next': 'O mesmo com o segredo novo, até ele ser confirmado.',
    'Hmac-SHA256-Previous': 'O mesmo com o segredo antigo, depois que o novo foi confirmado.',
    'webhook-id':
      'Id do evento, de até 64 caracteres. O mesmo em todas as tentativas, reenvios e webhooks: trate cada um uma única vez.',
    'webhook-timestamp': 'Momento desta tentativa, em segundos Unix.',
    'webhook-signature':
      'Standard Webhooks: "v1," e a assinatura. Várias são separadas por espaços.',
    Topic: 'O que aconteceu, como `event` no corpo: encaminhe por ele antes de ler o corpo.',
    Changed: 'Nomes dos campos que uma atualização alterou, separados por vírgulas. Não assinado.',
    'Shop-Domain': 'Alias da loja onde aconteceu.',
    'API-Version': 'Versão cuja forma o corpo tem.',
    'Webhook-Id': 'Igual a `webhook-id`, com um nome deste serviço.',
    'Event-Id': 'Igual a `webhook-id`.',
    'Delivery-Id':
      'Id do webhook e número de sequência: identifica esta entrega quando você pede ajuda.',
    Sequence:
      'Epoch e número de sequência. Os números de um webhook não têm lacunas: um que falta ainda vai chegar, ou se perdeu do seu lado.',
    Attempt: 'Quantas vezes esta entrega foi enviada, a partir de 1.',
    'Triggered-At': 'Momento do evento, ISO 8601 em UTC.',
  },
  es: {
    'Hmac-SHA256': 'HMAC-SHA256 del cuerpo con el secreto como clave, en Base64.',
    'Hmac-SHA256-Next': 'Lo mismo con el secreto nuevo, hasta que se confirme.',
    'Hmac-SHA256-Previous': 'Lo mismo con el secreto antiguo, después de confirmar el nuevo.',
    'webhook-id':
      'Id del evento, de hasta 64 caracteres. El mismo en todos los reintentos, reenvíos y webhooks: trata cada uno una sola vez.',
    'webhook-timestamp': 'Momento de este intento, en segundos Unix.',
    'webhook-signature': 'Standard Webhooks: "v1," y la firma. Varias se separan con espacios.',
    Topic: 'Qué pasó, como `event` en el cuerpo: encamina según él antes de leer el cuerpo.',
    Changed: 'Nombres de los campos que una actualización cambió, separados por comas. No firmado.',
    'Shop-Domain': 'Alias de la tienda donde pasó.',
    'API-Version': 'Versión cuya forma tiene el cuerpo.',
    'Webhook-Id': 'Igual que `webhook-id`, con un nombre de este servicio.',
    'Event-Id': 'Igual que `webhook-id`.',
    'Delivery-Id':
      'Id del webhook y número de secuencia: identifica esta entrega cuando pides ayuda.',
    Sequence:
      'Epoch y número de secuencia. Los números de un webhook no tienen huecos: uno que falta está por llegar, o se perdió de tu lado.',
    Attempt: 'Cuántas veces se envió esta entrega, desde 1.',
    'Triggered-At': 'Momento del evento, ISO 8601 en UTC.',
  },
};

/** Returns the meaning of a header of the document in a language. */
function headerMeaning({ name, description }: ParameterObject, language: Language): string {
  if (language === 'en') return description;
  const meaning = headerMeanings[language][name.replace(/^X-.+?-(?=[A-Z])/, '')];
  if (meaning === undefined) throw new Error(`the header ${name} has no text in ${language}`);
  return meaning;
}

/** The headers of deliveries: those of an update, which has one more. */
export function deliveryHeaderTable({ webhooks }: OpenApiDocument, language: Language): Table {
  const { post } = webhooks['product.updated'] ?? {};
  return {
    head: headerHeads[language],
    rows: (post?.parameters ?? []).flatMap((parameter) =>
      '$ref' in parameter
        ? []
        : [
            {
              cells: [
                `\`${parameter.name}\``,
                `\`${String(parameter.example)}\``,
                headerMeaning(parameter, language),
              ],
            },
          ],
    ),
  };
}

const retryHeads: Record<Language, readonly string[]> = {
  en: ['Attempt', 'Wait since the one before', 'Since the first one'],
  'pt-BR': ['Tentativa', 'Espera desde a anterior', 'Desde a primeira'],
  es: ['Intento', 'Espera desde el anterior', 'Desde el primero'],
};

/** The attempts of a delivery. */
export function retryTable(language: Language): Table {
  let sinceFirstMs = 0;
  return {
    head: retryHeads[language],
    rows: [
      { cells: ['1', '0 s', '0 s'] },
      ...retryDelaysMs.map((delayMs, index) => {
        sinceFirstMs += delayMs;
        return {
          cells: [String(index + 2), formatDuration(delayMs), formatDuration(sinceFirstMs)],
        };
      }),
    ],
  };
}

/** Formats milliseconds such as `2 h 42 min 35 s`. */
function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
