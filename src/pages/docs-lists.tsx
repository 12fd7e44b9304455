const language = [
  ['page', '2', 'From 1. Past the end is 200 with empty data.'],
  ['limit', '50', 'Rows a page, 10 when absent; above 100 counts as 100.'],
  ['orderBy', 'name;created_at', 'Columns of the row. The id is always the last key.'],
  ['sortedBy', 'desc', 'asc or desc, for all columns.'],
  ['search', 'name:blue;active:true', 'field:value; without a colon, all text columns.'],
  ['searchFields', 'name:like', 'like (contains), = or in (values with commas), for each field.'],
  ['searchJoin', 'or', 'How several pairs of search combine; and when absent.'],
  ['date', 'created_at:2031-03-01|2031-03-31', "Days of the store's zone, both ends included."],
  ['include', 'skus,brand', 'Relations to add; also on one record.'],
  ['skipCache', '1', 'Accepted; nothing is cached.'],
] as const;

/** Paging and the query language of every list. */
export const Lists = () => (
  <section id="lists" aria-labelledby="lists-title">
    <h2 id="lists-title">Lists: paging and query language</h2>
    <p>
      A page is <code>data</code> with <code>meta.pagination</code>:{' '}
      <code>total, count, per_page, current_page, total_pages</code> and{' '}
      <code>links.previous, links.next</code>, empty text where there is no such page. The{' '}
      <code>Link</code> header says the same (RFC 8288). Follow <code>next</code> until it is empty.
    </p>
    <table>
      <caption class="visually-hidden">Query parameters of every list</caption>
      <thead>
        <tr>
          <th scope="col">Parameter</th>
          <th scope="col">Example</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {language.map(([name, example, meaning]) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td data-label="Example">
              <code>{example}</code>
            </td>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p>
      Text is compared and sorted without regard to letter case and accents. A malformed value of a
      known parameter is 400 with its name in <code>errors</code>.
    </p>
  </section>
);
