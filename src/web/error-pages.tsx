import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ForeignFormError, RoleError } from '../base/errors.ts';
import { browserPaths, homePath } from '../base/page-paths.ts';
import { Role } from '../base/roles.ts';
import type { AppEnv } from '../http/app-env.ts';
import { toHttpError } from '../http/error-response.ts';
import { InfoPage } from './components/info-page.tsx';
import { formatWaitingTime } from './components/time.tsx';
import type { FormTokenError } from './forms/received-form.ts';
import { recallPage } from './page.ts';
import { buildLayoutProps, detectLanguage, renderPage } from './render-page.ts';
import type { Messages } from './texts/en/messages.ts';
import { messagesFor } from './texts/messages.ts';

/** Creates the app of the browser routes, whose errors are pages instead of JSON. */
export function createBrowserApp(): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();
  pages.onError(showErrorPage);
  return pages;
}

/**
 * Shows the page for a rejected form token. An expired form gets a link to `formPath`, where it can
 * be reopened.
 */
export function showFormTokenErrorPage(
  c: Context<AppEnv>,
  error: FormTokenError,
  formPath?: string,
) {
  if (error !== 'expired') return renderErrorPage(c, error === 'forged' ? 400 : 403);
  const layout = layoutOf(c);
  const { title, lead, again: text } = messagesFor(layout.language).expired;
  const link = { href: formPath ?? homePath, text };
  return renderPage(c, <InfoPage {...{ layout, title, link }} paragraphs={[lead]} />, {
    status: 400,
  });
}

/** Shows the page for a path that does not exist. */
export const showNotFoundPage = (c: Context<AppEnv>) => renderErrorPage(c, 404);

function showErrorPage(error: unknown, c: Context<AppEnv>) {
  if (error instanceof ForeignFormError) return renderErrorPage(c, 403);
  if (error instanceof RoleError) return showRolePage(c, error.wanted);
  const { status, headers } = toHttpError(error, c);
  // Every status of an `HttpError` has a body.
  return renderErrorPage(c, status as ContentfulStatusCode, headers);
}

/** Names the role that the requested page needs. */
function showRolePage(c: Context<AppEnv>, wanted: RoleError['wanted']) {
  const { error, members } = messagesOf(c);
  const { roles } = members;
  const [title, lead] =
    wanted === Role.owner
      ? [roles.ownerOnly, roles.ownerOnlyLead]
      : [roles.readOnly, roles.readOnlyLead];
  const link = { href: homePath, text: error.home };
  return renderInfo(c, { title, lead, link }, { status: 403 });
}

function renderErrorPage(
  c: Context<AppEnv>,
  status: ContentfulStatusCode,
  headers: Record<string, string> = {},
) {
  const { language } = layoutOf(c);
  const messages = messagesOf(c).error;
  const { title, lead } = messagesForStatus(messages, status);
  const text = lead
    .replace('{time}', formatWaitingTime(language, Number(headers['Retry-After'] ?? 60)))
    .replace('{request}', c.get('requestId'));
  const link = recallPage(c.req.raw)
    ? { href: homePath, text: messages.home }
    : { href: browserPaths.home, text: messages.start };
  return renderInfo(c, { title, lead: text, link }, { status, headers });
}

/** The language is that of the signed-in user, as far as this request has loaded them. */
const layoutOf = (c: Context<AppEnv>) =>
  recallPage(c.req.raw)?.layout() ?? buildLayoutProps(c, detectLanguage(c));

const messagesOf = (c: Context<AppEnv>): Messages => messagesFor(layoutOf(c).language);

/** Shows a message, with the navigation of the user who is signed in. */
function renderInfo(
  c: Context<AppEnv>,
  { lead, ...info }: { title: string; lead: string; link: { href: string; text: string } },
  response: Parameters<typeof renderPage>[2],
) {
  const layout = layoutOf(c);
  const navigation = recallPage(c.req.raw)?.dashboard(undefined, null);
  return renderPage(
    c,
    <InfoPage {...{ layout, ...info, navigation }} paragraphs={[lead]} />,
    response,
  );
}

function messagesForStatus(
  messages: Messages['error'],
  status: number,
): { title: string; lead: string } {
  if (status === 404) return { title: messages.notFound, lead: messages.notFoundLead };
  if (status === 403) return { title: messages.foreignForm, lead: messages.foreignFormLead };
  if (status === 429) return { title: messages.tooMany, lead: messages.tooManyLead };
  if (status === 503) return { title: messages.unavailable, lead: messages.unavailableLead };
  return status >= 500
    ? { title: messages.failed, lead: messages.failedLead }
    : { title: messages.badForm, lead: messages.badFormLead };
}
