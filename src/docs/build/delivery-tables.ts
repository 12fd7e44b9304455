import type { Language } from '../../base/languages.ts';
import { eventNames, requiredScopes } from '../../data/grants/event-catalogue.ts';
import type { OpenApiDocument } from '../../http/openapi/types.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { retryDelaysMs } from '../../webhooks/delivery/retry-policy.ts';
import type { Table } from './markdown-table.ts';

const eventHeads: Record<Language, readonly string[]> = {
  en: ['Event', 'Meaning', 'Scope'],
  'pt-BR': ['Evento', 'Significado', 'Escopo'],
  es: ['Evento', 'Significado', 'Permiso'],
};

/** Every event with the scopes that an app needs to receive it. */
export const eventTable = (language: Language): Table => ({
  head: eventHeads[language],
  rows: eventNames.map((name) => ({
    id: `event-${name}`,
    cells: [
      `[\`${name}\`](event:${name})`,
      messagesFor(language).webhooks.meanings[name],
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

/** The headers of every delivery, in English as in the reference. */
export function deliveryHeaderTable({ webhooks }: OpenApiDocument, language: Language): Table {
  const [first] = Object.values(webhooks);
  return {
    head: headerHeads[language],
    rows: (first?.post?.parameters ?? []).flatMap((parameter) =>
      '$ref' in parameter
        ? []
        : [
            {
              cells: [
                `\`${parameter.name}\``,
                `\`${String(parameter.example)}\``,
                parameter.description,
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
