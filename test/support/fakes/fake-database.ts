/** A database that has only these methods. */
export const fakeDatabase = (methods: object) => methods as D1Database;
