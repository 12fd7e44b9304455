import type { Language } from '../../base/languages.ts';
import { deployedLimits } from '../../base/settings.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import { scopes } from '../../data/grants/scopes.ts';
import type { OpenApiDocument } from '../../http/openapi/types.ts';
import { allOrderStatuses, orderTransitions } from '../../sales/orders/order-states.ts';
import { dictionaries } from '../../web/texts/messages.ts';
import { rateLimitRows } from '../meaning/rate-limits.ts';
import { deliveryHeaderTable, eventTable, retryTable } from './delivery-tables.ts';
import { errorCodeTable, oauthErrorTable } from './error-tables.ts';
import type { Table } from './markdown-table.ts';

const scopeHeads: Record<Language, readonly string[]> = {
  en: ['Scope', 'What the merchant reads'],
  'pt-BR': ['Escopo', 'O que o lojista lê'],
  es: ['Scope', 'Lo que lee el comerciante'],
};

/** Every scope with the words that a merchant approves. */
function scopeTable(language: Language): Table {
  const { meanings } = dictionaries[language].scopes;
  return {
    head: scopeHeads[language],
    rows: scopes.map((scope) => ({ id: scope, cells: [`\`${scope}\``, meanings[scope]] })),
  };
}

const limitHeads: Record<Language, readonly string[]> = {
  en: ['Limit', 'Requests per minute', 'What counts', 'What to do'],
  'pt-BR': ['Limite', 'Requisições por minuto', 'O que conta', 'O que fazer'],
  es: ['Límite', 'Solicitudes por minuto', 'Qué cuenta', 'Qué hacer'],
};

/** The limits of a deployment that does not set others. */
const rateLimitTable = (language: Language): Table => ({
  head: limitHeads[language],
  rows: rateLimitRows.map((row) => {
    const { counts, advice } = row[language];
    return { cells: [`\`${row.policy}\``, deployedLimits[row.variable], counts, advice] };
  }),
});

type TableBuilder = (language: Language) => Table;

/**
 * Returns a function that builds the generated tables of the guides by their name, and throws for
 * any other name.
 */
export function createTables(document: OpenApiDocument) {
  const builders = new Map<string, TableBuilder>([
    ['error-codes', errorCodeTable],
    ['oauth-errors', oauthErrorTable],
    ['scopes', scopeTable],
    ['events', eventTable],
    ['delivery-headers', (language) => deliveryHeaderTable(document, language)],
    ['retries', retryTable],
    ['rate-limits', rateLimitTable],
    ['order-states', orderStateTable],
  ]);
  return (name: string, language: Language): Table => {
    const build = builders.get(name);
    if (!build) throw new Error(`there is no table ${name}`);
    return build(language);
  };
}

const orderHeads: Record<Language, readonly string[]> = {
  en: ['Status', 'Can become', 'Events on entry'],
  'pt-BR': ['Status', 'Pode passar a', 'Eventos ao entrar'],
  es: ['Estado', 'Puede pasar a', 'Eventos al entrar'],
};

/** Events of an order on entry into a state; any other state sends `order.status.updated` only. */
const events: Partial<Record<string, readonly EventName[]>> = {
  waiting_payment: ['order.created', 'order.status.updated'],
  paid: ['order.status.updated', 'order.paid'],
};

const statusUpdated: readonly EventName[] = ['order.status.updated'];

const asCode = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** The statuses of an order with those that follow and with their events. */
const orderStateTable = (language: Language): Table => ({
  head: orderHeads[language],
  rows: allOrderStatuses.map((status) => ({
    id: `status-${status}`,
    cells: [
      `\`${status}\``,
      asCode(orderTransitions[status]) || '—',
      asCode(events[status] ?? statusUpdated),
    ],
  })),
});
