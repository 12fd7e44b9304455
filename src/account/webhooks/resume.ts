import type { Context } from 'hono';
import { realPorts } from '../../events/clock.ts';
import { PartedApp } from '../../events/parted-app.ts';
import { resumeEndpoint, type Release } from '../../events/resume.ts';
import { UnansweredPing } from '../../events/unanswered-ping.ts';
import type { Faces } from '../../http/faces.ts';
import { resumeChoices, type ResumeChoice } from '../../pages/resume-page.tsx';
import { InvalidBody, notFound } from '../../problem.ts';
import type { Here } from '../../session/signed-in.ts';
import { settingsOf } from '../../settings.ts';
import { ownWebhook } from './own-webhook.ts';
import { showResume } from './show-resume.tsx';
import { isTooSoon, tooSoon } from './too-soon.ts';
import { webhookPaths } from './webhook-paths.ts';

const usualMs = 72 * 3_600_000;

/**
 * Makes a webhook active and lets what was chosen of the held deliveries go. One that was disabled automatically
 * must answer a ping first; what came of it is told (422), as is that its app is not connected any more, and that
 * the store's last ping was less than ten seconds ago (429).
 */
export async function resume(c: Context<Faces>, here: Here, form: URLSearchParams) {
  const { store, db, owner, id } = ownWebhook(c, here);
  const chosen = resumeChoices.find((one) => one === form.get('resume'));
  if (!chosen) return showResume(c, here, { kind: 'notChosen' });
  const resumption = { release: releaseOf(chosen, here.now), action: 'resumed' } as const;
  const outside = { settings: settingsOf(c.env), ports: realPorts };
  try {
    if (!(await resumeEndpoint(db, owner, id, resumption, outside))) throw notFound();
  } catch (error) {
    if (error instanceof UnansweredPing) {
      return showResume(c, here, { kind: 'unanswered', ...error.sent });
    }
    if (error instanceof PartedApp) return showResume(c, here, { kind: 'parted' });
    if (error instanceof InvalidBody) return showResume(c, here, { kind: 'urlRefused' });
    if (isTooSoon(error)) return showResume(c, here, { kind: 'tooSoon' }, tooSoon(error));
    throw error;
  }
  return c.redirect(`${webhookPaths.one(store.alias, id)}?done=resumed`, 303);
}

const releaseOf = (chosen: ResumeChoice, now: number): Release =>
  chosen === '72h' ? { since: now - usualMs } : chosen;
