import type { Hono } from 'hono';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { publicFormRoots } from '../pages/paths.ts';
import { emailConfirmForm, emailUndoForm } from './email-change.ts';
import { invitationForm } from './invitation.tsx';
import { forgottenPasswordForm, passwordResetForm } from './password-reset.ts';
import { mountPublicForm } from './public-form.tsx';
import { setupForm } from './setup.ts';
import { signUpConfirmForm, signUpForm } from './sign-up.ts';

/** Mounts the set-up, the sign-up, the forgotten password, and the links of mails. */
export function mountPublicForms(pages: Hono<AppEnv>): void {
  for (const root of publicFormRoots) {
    pages.use(`${root}/*`, async (c, next) => {
      c.set('operation', 'sign-up');
      await next();
    });
  }
  mountPublicForm(pages, setupForm);
  mountPublicForm(pages, signUpForm);
  mountPublicForm(pages, signUpConfirmForm);
  mountPublicForm(pages, forgottenPasswordForm);
  mountPublicForm(pages, passwordResetForm);
  mountPublicForm(pages, emailConfirmForm);
  mountPublicForm(pages, emailUndoForm);
  mountPublicForm(pages, invitationForm);
  for (const root of publicFormRoots) {
    pages.all(`${root}/*`, () => {
      throw notFound();
    });
  }
}
