import type { Language } from '../../base/languages.ts';
import { allOrderStatuses, orderTransitions } from '../../commerce/orders/order-states.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import type { Table } from './markdown-table.ts';

const heads: Record<Language, readonly string[]> = {
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
export const orderStateTable = (language: Language): Table => ({
  head: heads[language],
  rows: allOrderStatuses.map((status) => ({
    id: `status-${status}`,
    cells: [
      `\`${status}\``,
      asCode(orderTransitions[status]) || '—',
      asCode(events[status] ?? statusUpdated),
    ],
  })),
});
