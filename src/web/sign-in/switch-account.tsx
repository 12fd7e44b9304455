import { browserPaths } from '../../base/page-paths.ts';
import { FormTokenInput } from '../components/form-fields.tsx';
import { SignedInAs } from '../components/signed-in-user.tsx';
import type { SignedInPage } from '../page.ts';
import { signOutForm } from './sign-out.ts';

/**
 * Shows who is signed in, with a button to use another account: it signs out and returns to
 * `returnTo`, a local path.
 */
export const SwitchAccount = async ({
  page,
  returnTo,
}: {
  page: SignedInPage;
  returnTo: string;
}) => (
  <form method="post" action={browserPaths.end} class="whoami">
    <FormTokenInput formToken={await signOutForm.seal(page, { returnTo })} />
    <p>
      <SignedInAs layout={page.layout()} user={page.user} />
    </p>
    <button class="quiet">{page.messages.session.other}</button>
  </form>
);
