import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../http/openapi/types.ts';
import type { Language } from '../../pages/i18n/languages.ts';
import { changelogTable } from './changelog-table.ts';
import { deliveryHeaderTable, eventTable, retryTable } from './delivery-tables.ts';
import { errorCodeTable, oauthErrorTable } from './error-tables.ts';
import { rateLimitTable } from './rate-limit-table.ts';
import { scopeTable } from './scope-table.ts';
import { orderStateTable } from './state-table.ts';
import type { Table } from './table.ts';

type TableBuilder = (language: Language) => Table;

/** Returns a function that builds the generated tables of the guides by their name, and throws for any other name. */
export function createTables(document: OpenApiDocument, root: string) {
  const builders = new Map<string, TableBuilder>([
    ['error-codes', errorCodeTable],
    ['oauth-errors', oauthErrorTable],
    ['scopes', scopeTable],
    ['events', eventTable],
    ['delivery-headers', (language) => deliveryHeaderTable(document, language)],
    ['retries', retryTable],
    ['rate-limits', rateLimitTable],
    ['order-states', orderStateTable],
    [
      'changelog',
      (language) => changelogTable(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), language),
    ],
  ]);
  return (name: string, language: Language): Table => {
    const build = builders.get(name);
    if (!build) throw new Error(`there is no table ${name}`);
    return build(language);
  };
}
