/** `npm run bench:delivery`: how fast events leave, what they cost, and what is lost on the way. */
import { compareDeliveries } from './compare.ts';

await compareDeliveries();
