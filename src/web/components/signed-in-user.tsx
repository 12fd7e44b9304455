import { readableAddress } from '../../base/hosts.ts';
import { messagesFor } from '../texts/messages.ts';
import { FormTokenInput } from './form-fields.tsx';
import { Interpolate } from './inline-text.tsx';
import type { LayoutProps } from './narrow-layout.tsx';

export interface DisplayedUser {
  name: string;
  email: string;
}

/** The sentence "Signed in as ...". */
export const SignedInAs = ({ layout, user }: { layout: LayoutProps; user: DisplayedUser }) => (
  <Interpolate
    text={messagesFor(layout.language).session.as}
    parts={{
      name: (
        <strong>
          <bdi>{user.name}</bdi>
        </strong>
      ),
      email: readableAddress(user.email),
    }}
  />
);

export interface SwitchAccountProps {
  layout: LayoutProps;
  user: DisplayedUser;
  /** Address of the form: signs out, then returns to this page. */
  action: string;
  formToken: string;
}

/** Shows who is signed in, with a button to use another account. */
export const SwitchAccount = ({ layout, user, action, formToken }: SwitchAccountProps) => (
  <form method="post" action={action} class="whoami">
    <FormTokenInput formToken={formToken} />
    <p>
      <SignedInAs layout={layout} user={user} />
    </p>
    <button class="quiet">{messagesFor(layout.language).session.other}</button>
  </form>
);
