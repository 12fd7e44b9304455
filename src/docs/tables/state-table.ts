import { allOrderStatuses, orderTransitions } from '../../commerce/orders/state-machine.ts';
import type { EventName } from '../../events/catalogue.ts';
import type { Language } from '../../pages/i18n/languages.ts';
import type { Table } from './table.ts';

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
