import { wake } from '../data/queues/wake.ts';

/** Requests a run of the outbox, after the commit of a mail. Never rejects: the sweep looks each minute. */
export const wakeMail = (env: Env): Promise<void> => wake(env, 'mail', { v: 1 });
