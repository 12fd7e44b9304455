import { isMailConfigured } from '../../mail/sender.ts';
import type { Messages } from '../../pages/i18n/en/messages.ts';

/** What a page says that leads to a mail, if this service cannot send any; `undefined` if it can. */
export const mailNotice = (env: Env, { notifications }: Messages): string | undefined =>
  isMailConfigured(env) ? undefined : notifications.noSender;
