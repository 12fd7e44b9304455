import { WorkerEntrypoint } from 'cloudflare:workers';
import type { BounceReport, BounceResult } from '../mail/outbox.ts';
import type { EventReport, EventReportResult } from './report-event.ts';

/**
 * RPC entrypoint for other services of the platform, by a service binding with
 * `entrypoint = "Reports"`. A bound service may report events of every store.
 */
export class Reports extends WorkerEntrypoint<Env> {
  /**
   * Reports an event of a store. Invalid input returns `ok: false` with the errors of each field;
   * it never throws.
   */
  async report(input: EventReport): Promise<EventReportResult> {
    const { reportEvent } = await import('./report-event.ts');
    return reportEvent(this.env, input, {
      now: Date.now(),
      waitUntil: (work) => this.ctx.waitUntil(work),
    });
  }

  /**
   * Reports that a mail bounced, or that its reader complained: the address then gets resets of
   * passwords and no more.
   */
  async mailBounced(report: BounceReport): Promise<BounceResult> {
    const { reportBounce } = await import('../mail/outbox.ts');
    return reportBounce(this.env, report, Date.now());
  }
}
