import type { Context } from 'hono';
import { HttpError, notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { TextField } from '../../pages/components/form-fields.tsx';
import { Interpolate } from '../../pages/components/text.tsx';
import { FormattedDate } from '../../pages/components/time.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { closeStore, closingTime, reopenStore } from '../../people/stores/close.ts';
import { detectLanguage } from '../../session/pages/language.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { storePaths } from '../paths.ts';
import { askAboutStore } from './confirm.tsx';
import { redirectToStore } from './details.tsx';
import { storeOfPage } from './store-of-page.ts';

/** `GET /account/stores/:alias/close`. The owner types the alias to confirm. */
export const showClosing = (c: Context<AppEnv>, context: PageContext) =>
  askToClose(c, context, undefined);

function askToClose(c: Context<AppEnv>, context: PageContext, typed: string | undefined) {
  const { alias, name, zone } = storeOfPage(context);
  const language = detectLanguage(c);
  const t = messagesFor(language).stores.close;
  const at = context.now + closingTime;
  const date = <FormattedDate {...{ language, at, zone }} />;
  const error = typed === undefined ? undefined : t.aliasWrong.replace('{alias}', () => alias);
  return askAboutStore(c, context, {
    action: storePaths.close(alias),
    question: <Interpolate text={t.question} parts={{ store: <bdi>{name}</bdi> }} />,
    paragraphs: [t.consequence, <Interpolate text={t.erased} parts={{ date }} />],
    fields: (
      <TextField
        name="alias"
        label={t.alias.replace('{alias}', () => alias)}
        type="text"
        autocomplete="off"
        value={typed ?? ''}
        error={error}
      />
    ),
    submit: t.submit,
    isDangerous: true,
    error,
    errorField: 'alias',
    status: error === undefined ? 200 : 422,
  });
}

/** Closes a store. Its owner can open it again for 30 days. */
export async function submitClosing(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { id: storeId, alias } = storeOfPage(context);
  const typed = (form.get('alias') ?? '').trim();
  if (typed !== alias) return askToClose(c, context, typed);
  const { reason } = messagesFor(detectLanguage(c)).stores.close;
  await closeStore(pageDeed(c, context), { storeId, reason });
  return redirectToStore(c, alias, 'closed');
}

/** `GET /account/stores/:alias/reopen`, for a store that was closed. One that an operator deactivated is not opened here. */
export const showReopening = (c: Context<AppEnv>, context: PageContext) =>
  askToReopen(c, context, false);

function askToReopen(c: Context<AppEnv>, context: PageContext, isTooLate: boolean) {
  const { alias, name, eraseAt } = storeOfPage(context);
  if (eraseAt === null) throw notFound();
  const t = messagesFor(detectLanguage(c)).stores.reopen;
  return askAboutStore(c, context, {
    action: storePaths.reopen(alias),
    question: <Interpolate text={t.question} parts={{ store: <bdi>{name}</bdi> }} />,
    paragraphs: [t.consequence],
    submit: t.submit,
    isDangerous: false,
    error: isTooLate ? t.tooLate : undefined,
    status: isTooLate ? 409 : 200,
  });
}

/** Opens a closed store again, unless its erasure has begun. */
export async function submitReopening(c: Context<AppEnv>, context: PageContext) {
  const { id: storeId, alias, eraseAt } = storeOfPage(context);
  if (eraseAt === null) throw notFound();
  try {
    await reopenStore(pageDeed(c, context), { storeId });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 409) throw error;
    return askToReopen(c, context, true);
  }
  return redirectToStore(c, alias, 'reopened');
}
