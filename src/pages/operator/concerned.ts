import { countRequests } from '../../data/directory/request-log.ts';
import { countInstalls } from '../../oauth/installed-apps.ts';
import type { SignedInPage } from '../../web/page.ts';
import type { Concerned } from './operator-actions.tsx';
import { requireOperatedApp } from './operator-apps.tsx';
import { requireOperatedStore } from './operator-stores.tsx';
import { requireOperatedUser } from './operator-users.tsx';

/**
 * Counts whom an action on the store, the user or the app of the path concerns, for the page that
 * asks before it.
 */
export const counts = {
  async store(page: SignedInPage): Promise<Concerned> {
    const { id: storeId, members } = await requireOperatedStore(page);
    const requests = await countRequests(page.directory, { storeId });
    return { people: members.length, requests };
  },
  async user(page: SignedInPage): Promise<Concerned> {
    const { id: userId, stores } = await requireOperatedUser(page);
    return { stores: stores.length, requests: await countRequests(page.directory, { userId }) };
  },
  async app(page: SignedInPage): Promise<Concerned> {
    const { client_id: clientId } = await requireOperatedApp(page);
    const [installs, requests] = await Promise.all([
      countInstalls(page.env, [clientId], page.now),
      countRequests(page.directory, { clientId }),
    ]);
    return { stores: installs.get(clientId) ?? 0, requests };
  },
};
