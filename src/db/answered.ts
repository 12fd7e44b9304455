import { meaningOf } from './failures.ts';

/** Runs a query outside a store handle; a failure is told by its meaning. */
export async function answered<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw meaningOf(error);
  }
}
