/** A value that a column is compared with: folded text, an id, a number, cents or a bool. */
export type Value = string | number | boolean;

/** What a query asks of a row, in no database's words; `{ all: [] }` asks nothing. */
export type Condition<Column extends string = string> =
  | { all: Condition<Column>[] }
  | { any: Condition<Column>[] }
  | { column: Column; is: 'contains'; text: string }
  | { column: Column; is: 'equals'; value: Value }
  | { column: Column; is: 'in'; values: Value[] }
  | { column: Column; is: 'between'; from: number; until: number }
  | { column: Column; is: 'null' };
