/**
 * Variables of a deployment whose databases are in several regions (`deploy/production-config.ts`). One of its Workers hands
 * requests on (`app/hand-over.ts`); each other one runs near the databases of its region.
 */
interface RegionEnv {
  /** The region of each shard by its number, with spaces between. */
  SHARD_REGIONS?: string;
  /** The region of the directory. Only the Worker that hands requests on has it. */
  DIRECTORY_REGION?: string;
  /** The region of this Worker, if it is that of a region. */
  OWN_REGION?: string;
}

/** The header in which the Worker of a region says where the store of a request is. It never leaves the deployment. */
export const storeRegionHeader = 'X-Store-Region';

const bindingPrefix = 'REGION_';

/** The binding of the Worker of a region. */
export const regionBinding = (region: string) => `${bindingPrefix}${region.toUpperCase()}`;

const variablesOf = (env: Env): RegionEnv => env as Env & RegionEnv;

/** The region of the directory, where this Worker hands requests on; `undefined` in all others. */
export const directoryRegion = (env: Env): string | undefined => variablesOf(env).DIRECTORY_REGION;

/** The Worker of a region, if there is one. */
export const regionWorker = (env: Env, region: string): Fetcher | undefined =>
  (env as unknown as Record<string, Fetcher | undefined>)[regionBinding(region)];

/** The regions whose Workers this one can call, in lower case. */
export const boundRegions = (env: Env): string[] =>
  Object.keys(env).flatMap((name) =>
    name.startsWith(bindingPrefix) ? [name.slice(bindingPrefix.length).toLowerCase()] : [],
  );

/** The list of the variable, split once: it may have a thousand shards. */
let split = { text: '', regions: [] as readonly string[] };

/** The region of a shard, as the deployment says. */
export function regionOfShard(env: Env, shard: number): string | undefined {
  const { SHARD_REGIONS: text = '' } = variablesOf(env);
  if (split.text !== text) split = { text, regions: text.split(' ') };
  return split.regions[shard];
}

/** Says where the store of a request is, for the Worker that handed it on. Only the Worker of a region does. */
export function regionHeaders(env: Env, shard: number | undefined): Record<string, string> {
  if (variablesOf(env).OWN_REGION === undefined || shard === undefined) return {};
  const region = regionOfShard(env, shard);
  return region === undefined ? {} : { [storeRegionHeader]: region };
}
