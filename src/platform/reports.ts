import { WorkerEntrypoint } from 'cloudflare:workers';
import { report, type Report, type Reported } from './report.ts';

/**
 * The door for other services of the platform, by a service binding with `entrypoint = "Reports"` (sources 8).
 * Whoever is bound is trusted with every store.
 */
export class Reports extends WorkerEntrypoint<Env> {
  /** Says that something happened in a store. Bad input is answered with `ok: false` and the fields, never thrown. */
  report(sent: Report): Promise<Reported> {
    return report(this.env, sent, {
      now: Date.now(),
      waitUntil: (work) => this.ctx.waitUntil(work),
    });
  }
}
