import type { LinkKind } from './one-use-links.ts';

/** The pages that links of mails open. */
export const linkPagePaths: Readonly<Record<LinkKind, string>> = {
  sign_up: '/sign-up/confirm',
  password_reset: '/password/reset',
  confirm_email: '/e-mail/confirm',
  undo_email: '/e-mail/undo',
  keep_second_factor: '/second-factor/keep',
};

/** The path of a link with its token. */
export const linkPath = (kind: LinkKind, token: string) => `${linkPagePaths[kind]}?token=${token}`;
