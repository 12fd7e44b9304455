import type { Context } from 'hono';
import { appNames } from '../../db/app-names.ts';
import { openShard } from '../../db/open.ts';
import type { MerchantEndpoint } from '../../events/endpoints-of-stores.ts';
import type { Faces } from '../../http/faces.ts';

/** The names of the apps that made these webhooks. One round trip, none when none was made by an app. */
export const appNamesOf = (c: Context<Faces>, endpoints: readonly MerchantEndpoint[]) =>
  appNames(openShard(c.env.DIRECTORY), [
    ...new Set(endpoints.flatMap(({ clientId }) => clientId ?? [])),
  ]);
