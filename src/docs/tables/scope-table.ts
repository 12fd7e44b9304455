import { scopes } from '../../access/scopes.ts';
import type { Language } from '../../pages/i18n/languages.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import type { Table } from './table.ts';

const heads: Record<Language, readonly string[]> = {
  en: ['Scope', 'What the merchant reads'],
  'pt-BR': ['Escopo', 'O que o lojista lê'],
  es: ['Permiso', 'Lo que lee el comerciante'],
};

/** Every scope with the words that a merchant approves. */
export function scopeTable(language: Language): Table {
  const { meanings } = messagesFor(language).scopes;
  return {
    head: heads[language],
    rows: scopes.map((scope) => ({ id: scope, cells: [`\`${scope}\``, meanings[scope]] })),
  };
}
