/** The fields of the form that asks what the columns are, as it proposes them. */
export const proposedIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<select[^>]*name="(column_\d+)"[^>]*>(.*?)<\/select>/gs)].map(
      ([, name = '', options = '']) => [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? ''],
    ),
  );
