import { InvalidBody } from '../problem.ts';
import type { Sent } from './send.ts';

/** An endpoint that had to answer a ping did not; `sent` is what came of it. */
export class UnansweredPing extends InvalidBody {
  readonly sent: Sent;

  constructor(sent: Sent) {
    super({ url: ['Must answer a ping with a 2xx status.'] });
    this.sent = sent;
  }
}
