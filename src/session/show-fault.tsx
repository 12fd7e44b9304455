import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { problemOf } from '../http/refuse.ts';
import type { Faces } from '../http/faces.ts';
import { NoticePage } from '../pages/notice-page.tsx';
import { timeText } from '../pages/time-text.ts';
import type { Words } from '../pages/words/en.ts';
import { wordsOf } from '../pages/words/words-of.ts';
import type { TicketFault } from './form-ticket.ts';
import { home } from './paths.ts';
import { frameOf, showPage } from './show-page.ts';

type Notice = [title: string, lead: string];

/** A page for a ticket that is of no use; `again` is where its form can be asked for anew. */
export function showTicketFault(c: Context<Faces>, fault: TicketFault, again?: string) {
  if (fault !== 'expired') return showError(c, fault === 'forged' ? 400 : 403);
  const frame = frameOf(c);
  const { title, lead, again: text } = wordsOf(frame.language).expired;
  const link = { href: again ?? home, text };
  return showPage(c, <NoticePage {...{ frame, title, link }} paragraphs={[lead]} />, {
    status: 400,
  });
}

/** What browsers see of a problem: a page in their language that says what to do. For `onError`. */
export function showProblem(error: unknown, c: Context<Faces>) {
  const { status, headers } = problemOf(error, c);
  // Every status of a problem comes with a body.
  return showError(c, status as ContentfulStatusCode, headers);
}

function showError(
  c: Context<Faces>,
  status: ContentfulStatusCode,
  headers: Record<string, string> = {},
) {
  const frame = frameOf(c);
  const [title, lead] = noticeOf(wordsOf(frame.language).error, status);
  const text = lead
    .replace('{time}', timeText(frame.language, Number(headers['Retry-After'] ?? 60)))
    .replace('{request}', c.get('requestId'));
  const link = { href: home, text: wordsOf(frame.language).error.home };
  return showPage(c, <NoticePage {...{ frame, title, link }} paragraphs={[text]} />, {
    status,
    headers,
  });
}

function noticeOf(said: Words['error'], status: number): Notice {
  if (status === 404) return [said.notFound, said.notFoundLead];
  if (status === 403) return [said.foreignForm, said.foreignFormLead];
  if (status === 429) return [said.tooMany, said.tooManyLead];
  if (status === 503) return [said.unavailable, said.unavailableLead];
  return status >= 500 ? [said.failed, said.failedLead] : [said.badForm, said.badFormLead];
}
