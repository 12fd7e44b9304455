import { ApiError } from './api-error.ts';
import { withQuery } from './encode.ts';
import type { List, Page, Query } from './public.ts';

/** A page as it was loaded, and the path of the next one. */
export interface LoadedPage<T, Meta> {
  data: T[];
  meta: Meta;
  next: string | undefined;
}

/** Loads the page of a list at a path, which has its query. */
export type LoadPage<T, Meta> = (path: string) => Promise<LoadedPage<T, Meta>>;

/** Records per request of a walk. */
const walkLimit = 100;

/** A list of the service. Nothing is sent until it is read. */
export class RemoteList<T, Meta> implements List<T, Meta> {
  readonly #load: LoadPage<T, Meta>;
  readonly #path: string;
  readonly #query: Query | undefined;

  constructor(load: LoadPage<T, Meta>, path: string, query: Query | undefined) {
    this.#load = load;
    this.#path = path;
    this.#query = query;
  }

  async page(): Promise<Page<T, Meta>> {
    return this.#toPage(await this.#load(withQuery(this.#path, this.#query)));
  }

  async all({ limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}): Promise<T[]> {
    const records: T[] = [];
    if (limit <= 0) return records;
    for await (const record of this.#walk(Math.min(walkLimit, limit))) {
      if (records.push(record) >= limit) break;
    }
    return records;
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#walk(walkLimit);
  }

  async *#walk(limit: number): AsyncGenerator<T, void> {
    let path: string | undefined = withQuery(this.#path, { limit, ...this.#query });
    while (path !== undefined) {
      const page: LoadedPage<T, Meta> = await this.#loadFitting(path);
      yield* page.data;
      path = page.next;
    }
  }

  /** Loads a page of a walk, with fewer records if they are too large for one answer. */
  async #loadFitting(path: string): Promise<LoadedPage<T, Meta>> {
    try {
      return await this.#load(path);
    } catch (error) {
      const isTooLarge = error instanceof ApiError && error.code === 'answer_too_large';
      const smaller = path.replace(
        /([?&]limit=)(\d+)/,
        (_all, name: string, limit: string) => name + Math.ceil(Number(limit) / 4),
      );
      if (!isTooLarge || smaller === path) throw error;
      return this.#loadFitting(smaller);
    }
  }

  #toPage({ data, meta, next }: LoadedPage<T, Meta>): Page<T, Meta> {
    const load = async () => this.#toPage(await this.#load(next!));
    return { data, meta, next: () => (next === undefined ? Promise.resolve(undefined) : load()) };
  }
}
