import { readableAddress } from '../../base/hosts.ts';
import { messagesFor } from '../texts/messages.ts';
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
