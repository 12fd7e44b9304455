import { isParted } from '../db/grants/parted.ts';
import { computed } from '../db/relations.ts';
import { InvalidBody } from '../problem.ts';

/** {@link isParted}, read with an endpoint. */
export const parted = (now: number) => ({
  isParted: computed(isParted(now), (value: number) => value === 1),
});

/** An endpoint stays inactive because its app is not connected any more. */
export class PartedApp extends InvalidBody {
  constructor() {
    super({ active: ['The app that made this webhook is not connected to the store any more.'] });
  }
}
