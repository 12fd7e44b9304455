import { stores } from './schema/directory.ts';

/** What a handle needs to know of its store. */
export const storeColumns = {
  id: stores.id,
  alias: stores.alias,
  shard: stores.shard,
  zone: stores.zone,
  base_url: stores.base_url,
  active: stores.active,
  test: stores.test,
};
