import type { Database } from '../../db/core/open.ts';
import type { Store } from '../../db/core/store.ts';
import { customers } from '../../db/schema/store/customers.ts';
import { createCustomer } from '../../resources/customers/commands.ts';
import { NewCustomer } from '../../resources/customers/requests.ts';
import { createSeedDb, dayMs, insertMissing } from './insert-missing.ts';

/** An invented customer. CPF and CNPJ have valid check digits; e-mail addresses use the reserved domain `.test`. */
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
