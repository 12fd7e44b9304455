import { dayMs } from '../../base/durations.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { customers } from '../../data/schema/store/customers-tables.ts';
import { createCustomer } from '../../sales/customers/commands.ts';
import { NewCustomer } from '../../sales/customers/requests.ts';
import { createSeedDb, insertMissing } from './insert-missing.ts';

/**
 * An invented customer. CPF and CNPJ have valid check digits; e-mail addresses use the reserved
 * domain `.test`.
 */
export interface CustomerSeed {
  email: string;
  first_name: string;
  last_name: string | null;
  type: 'f' | 'j';
  cpf?: string;
  cnpj?: string;
  phone: string | null;
  daysAgo: number;
  addresses: readonly {
    receiver: string;
    zipcode: string;
    street: string;
    number: string;
    complement?: string;
    neighborhood: string;
    city: string;
    state: string;
  }[];
}

/** Creates the missing customers. */
export const fillCustomers = (
  store: Store,
  database: Database,
  seeds: readonly CustomerSeed[],
  now: number,
) =>
  insertMissing(
    createSeedDb(store, database, now),
    { table: customers, column: customers.email, seeds, keyOf: ({ email }) => email },
    ({ daysAgo, ...fields }) =>
      createCustomer(
        createSeedDb(store, database, now - daysAgo * dayMs),
        NewCustomer.parse(fields),
      ),
  );
