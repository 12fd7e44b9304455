import type { Hono } from 'hono';
import { notFound } from '../../base/errors.ts';
import { browserPaths, publicFormRoots } from '../../base/page-paths.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { codeStepForm } from './code-step.tsx';
import { emailConfirmForm, emailUndoForm } from './email-change.tsx';
import { invitationForm } from './invitation.tsx';
import { keepFactorForm } from './keep-factor.ts';
import { forgottenPasswordForm, passwordResetForm } from './password-reset.ts';
import { proofForm } from './proof.tsx';
import { setupForm } from './setup.ts';
import { passkeySignInForm, signInForm } from './sign-in.tsx';
import { signOutEverywhereForm, signOutForm } from './sign-out.ts';
import { signUpConfirmForm, signUpForm } from './sign-up-form.ts';
import { unsubscribeForm } from './unsubscribe.ts';

/** Signing in and out, the second step, and the proof. */
export const sessionForms = [
  signInForm,
  passkeySignInForm,
  codeStepForm,
  proofForm,
  signOutForm,
  signOutEverywhereForm,
] as const;

/** The set-up, the sign-up, the forgotten password, and the links of mails. */
export const linkForms = [
  setupForm,
  signUpForm,
  signUpConfirmForm,
  forgottenPasswordForm,
  passwordResetForm,
  emailConfirmForm,
  emailUndoForm,
  keepFactorForm,
  unsubscribeForm,
  invitationForm,
] as const;

/** Mounts signing in and out, the second step, and the proof. */
export function mountSessionRoutes(pages: Hono<AppEnv>) {
  nameOperation(pages, browserPaths.session, 'session');
  for (const form of sessionForms) form.mount(pages);
}

/** Mounts the set-up, the sign-up, the forgotten password, and the links of mails. */
export function mountPublicForms(pages: Hono<AppEnv>): void {
  for (const root of publicFormRoots) nameOperation(pages, root, 'sign-up');
  for (const form of linkForms) form.mount(pages);
  for (const root of publicFormRoots) {
    pages.all(`${root}/*`, () => {
      throw notFound();
    });
  }
}

/** Names the operation in the log lines of these paths. */
const nameOperation = (pages: Hono<AppEnv>, root: string, operation: string) =>
  pages.use(`${root}/*`, async (c, next) => {
    c.set('operation', operation);
    await next();
  });
