import { moveTransaction } from '../../commerce/move-transaction.ts';
import { payTransaction } from '../../commerce/pay-transaction.ts';
import { refuseTransaction } from '../../commerce/refuse-transaction.ts';
import type { StoreDb } from '../../db/store.ts';
import { Problem } from '../../problem.ts';
import { request } from '../../wire/request.ts';
import { choice } from '../../wire/words.ts';

/** The body of POST simulate (sources 5). */
export const Simulation = request({
  required: { outcome: choice(['authorize', 'pay', 'refuse']) },
}).post;

/** Brings about what a bank would, in test stores alone: elsewhere 403. */
export function simulate(db: StoreDb, id: number, outcome: 'authorize' | 'pay' | 'refuse') {
  if (!db.store.test) throw new Problem(403, { errors: { outcome: ['Only in a test store.'] } });
  switch (outcome) {
    case 'authorize':
      return moveTransaction(db, id, ({ status }) =>
        status === 'authorized' ? undefined : { to: 'authorized' },
      );
    case 'pay':
      return payTransaction(db, id);
    case 'refuse':
      return refuseTransaction(db, id, { error_code: 51, error_message: 'Refused (simulated).' });
  }
}
