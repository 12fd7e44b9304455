import { defaultLimits } from '../../deploy/config/production-vars.ts';
import type { Language } from '../../pages/i18n/languages.ts';
import { rateLimitRows } from '../meaning/rate-limits.ts';
import { guideFolder } from '../site/site-map.ts';
import type { Table } from './table.ts';

const heads: Record<Language, readonly string[]> = {
  en: ['Limit', 'Requests per minute', 'What counts', 'What to do'],
  'pt-BR': ['Limite', 'Requisições por minuto', 'O que conta', 'O que fazer'],
  es: ['Límite', 'Peticiones por minuto', 'Qué cuenta', 'Qué hacer'],
};

/** The limits of a deployment that does not set others. */
export const rateLimitTable = (language: Language): Table => ({
  head: heads[language],
  rows: rateLimitRows.map((row) => {
    const { counts, advice } = row[guideFolder[language]];
    return { cells: [`\`${row.policy}\``, defaultLimits[row.variable], counts, advice] };
  }),
});
