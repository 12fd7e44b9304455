/**
 * How the answer of an operation becomes a result:
 * - `bare`: the body; `data`: its `data`; `one`: the only record of `data`; `none`: nothing
 * - `list`: pages that are walked; `lines`: JSON values, one a line
 */
export type ResultKind = 'bare' | 'data' | 'one' | 'none' | 'list' | 'lines';

/** The argument of a method after the ids of its path. */
export type InputKind = 'query' | 'body' | 'lines' | 'nothing';

/** One method of the client, as the build writes it. */
export interface MethodRow {
  group: string;
  method: string;
  verb: string;
  /** Path below `/v2`, as in the document. */
  path: string;
  result: ResultKind;
  input: InputKind;
}

/** Writes rows as text, which is smaller than code. */
export const formatRows = (rows: readonly MethodRow[]): string =>
  rows
    .map(({ group, method, verb, path, result, input }) =>
      [group, method, verb, path.replace('/{alias}', '~'), result, input].join(' '),
    )
    .join('\n');

/** Reads what {@link formatRows} wrote. */
export const parseRows = (text: string): MethodRow[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [group = '', method = '', verb = '', path = '', result, input] = line.split(' ');
      return {
        group,
        method,
        verb,
        path: path.replace('~', '/{alias}'),
        // Written from rows of this type.
        result: result as ResultKind,
        input: input as InputKind,
      };
    });
