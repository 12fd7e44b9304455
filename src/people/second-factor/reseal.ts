import { resealColumn } from '../reseal-table.ts';
import { factorSealContext } from './use-code.ts';

/** Seals the secrets of second factors again with the current key, while the settings have a previous one. Never rejects. */
export const resealSecondFactors = (env: Env): Promise<void> =>
  resealColumn<number>(env, {
    table: 'second_factors',
    key: 'user_id',
    column: 'secret',
    context: factorSealContext,
  });
