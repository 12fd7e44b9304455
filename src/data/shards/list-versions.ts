import { minuteMs } from '../../base/durations.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { Database } from '../core/open-database.ts';
import type { Statement } from '../core/statement.ts';
import type { Store } from '../core/store.ts';
import {
  takeVersionsStatement,
  type GuardRow,
  type ListedState,
  type StoreVersions,
} from './placements.ts';

/** The state that a list shows: the epoch of its store, and the versions of what is listed. */
export type ListVersion = readonly number[];

/**
 * The stores whose versions were odd when this isolate last looked, by shard and id. A wrong one costs a tag. A change of a store
 * makes its isolate forget them.
 */
export const oddVersions: Readonly<Record<ListedState, TtlCache<true>>> = {
  catalog: new TtlCache(minuteMs, 5_000),
  stock: new TtlCache(minuteMs, 5_000),
};

/** The versions that the batches of a handle find, from which the tag of a list is made. */
export class ListVersions {
  readonly listed: ListedState;
  readonly #store: Pick<Store, 'id' | 'shard'>;
  #found: Required<GuardRow> | 'several' | undefined;

  constructor(store: Pick<Store, 'id' | 'shard'>, listed: ListedState) {
    this.#store = store;
    this.listed = listed;
  }

  /** The versions of all batches, if they found the same and a change raises them. */
  get version(): ListVersion | undefined {
    const found = this.#found;
    if (found === undefined || found === 'several' || !this.#areOdd(found)) return undefined;
    const { epoch, catalog_version: catalog, stock_version: stock } = found;
    return this.listed === 'stock' ? [epoch, catalog, stock] : [epoch, catalog];
  }

  /** Leaves the statement of {@link takeStatements} out of the next batch. */
  assumeOdd(now: number): void {
    oddVersions[this.listed].set(this.#key, true, now);
  }

  /** The statement that makes the versions odd; none if they were when this isolate last looked. */
  takeStatements(shard: Database, now: number): Statement[] {
    if (oddVersions[this.listed].get(this.#key, now)) return [];
    return [takeVersionsStatement(shard, this.#store.id, this.listed)];
  }

  /** Keeps the versions of a batch: those of its guard, and those that its statement has made odd. Says if they are the first, and even. */
  note(row: GuardRow, taken: StoreVersions | undefined, now: number): 'untagged' | undefined {
    if (row.catalog_version === undefined) return undefined;
    const found = { ...(row as Required<GuardRow>), ...taken };
    const before = this.#found;
    const isSame =
      before === undefined ||
      (before !== 'several' &&
        before.epoch === found.epoch &&
        before.catalog_version === found.catalog_version &&
        before.stock_version === found.stock_version);
    this.#found = isSame ? found : 'several';
    if (this.#areOdd(found)) {
      oddVersions[this.listed].set(this.#key, true, now);
      return undefined;
    }
    oddVersions[this.listed].delete(this.#key);
    return before === undefined ? 'untagged' : undefined;
  }

  get #key(): string {
    return `${this.#store.shard}:${this.#store.id}`;
  }

  #areOdd({ catalog_version: catalog, stock_version: stock }: StoreVersions): boolean {
    return ((this.listed === 'stock' ? catalog & stock : catalog) & 1) === 1;
  }
}
