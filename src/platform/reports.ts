import { WorkerEntrypoint } from 'cloudflare:workers';
import type { Report, Reported } from './report.ts';

/**
 * The door for other services of the platform, by a service binding with `entrypoint = "Reports"` (sources 8).
 * Whoever is bound is trusted with every store.
 */
export class Reports extends WorkerEntrypoint<Env> {
  /** Says that something happened in a store. Bad input is answered with `ok: false` and the fields, never thrown. */
  async report(sent: Report): Promise<Reported> {
    const { report } = await import('./report.ts');
    return report(this.env, sent, {
      now: Date.now(),
      waitUntil: (work) => this.ctx.waitUntil(work),
    });
  }
}
