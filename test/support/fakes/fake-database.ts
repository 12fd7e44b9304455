/**
 * A database of `prepare` and `batch` only. A session of it is the database itself and has no bookmark, as in a runtime
 * without replication.
 */
export function fakeDatabase(methods: object): D1Database {
  const database = {
    ...methods,
    withSession: () => database,
    getBookmark: () => null,
  } as unknown as D1Database;
  return database;
}
