import type { DocsPageProps } from './props.ts';

/** How values are written, what each method does, and how to retry a write safely. */
export const ValuesSection = () => (
  <section id="values" aria-labelledby="values-title">
    <h2 id="values-title">Values and writes</h2>
    <ul>
      <li>
        Most timestamps are <a href="#record-DateTime">DateTime</a> objects in the time zone of the
        store.
      </li>
      <li>
        Money is a JSON number with at most two decimals. Responses contain booleans as{' '}
        <code>true</code> or <code>false</code>. Request bodies may also contain <code>1</code>,{' '}
        <code>0</code>, <code>"1"</code>, <code>"0"</code>, <code>"true"</code> or{' '}
        <code>"false"</code>.
      </li>
      <li>
        Every documented field is always present; a field without a value is <code>null</code>. New
        fields may be added, so ignore fields that you do not know.
      </li>
      <li>
        <strong>POST</strong> applies the defaults. <strong>PUT</strong> keeps the fields that the
        body omits; <code>null</code> clears a nullable field. <strong>DELETE</strong> is permanent.
      </li>
      <li>
        Text is cleaned: HTML tags, control characters and surrounding white space are removed.
        Length limits count the characters that are left.
      </li>
      <li>
        Unknown fields and query parameters are ignored and listed in the <code>X-Warning</code>{' '}
        header. With <code>Prefer: handling=strict</code> they are rejected.
      </li>
      <li>A write takes effect completely or not at all.</li>
      <li>
        Reads of catalogue, stock and configuration can be answered near you. Send{' '}
        <code>Prefer: read=nearest</code> for a copy that may be some seconds old, or the{' '}
        <code>X-Bookmark</code> of an earlier response for one that shows at least that state.
      </li>
      <li>
        Send an <code>X-Request-Id</code> of 8 to 64 letters, digits, <code>_</code> or{' '}
        <code>-</code> to identify a request. The response repeats it.
      </li>
    </ul>
    <h3 id="idempotency">Retry a write safely</h3>
    <p>
      Send every POST, PUT and DELETE with a new <code>Idempotency-Key</code> of 1 to 255 printable
      ASCII characters. If you do not know whether the request arrived, send it again unchanged with
      the same key. It is executed once. For one day a repeated request returns:
    </p>
    <ul>
      <li>
        The first response, with <code>Idempotent-Replayed: true</code>.
      </li>
      <li>
        409 <code>request_under_way</code>: the change was made, and its response will be available
        in a moment.
      </li>
      <li>
        409 <code>answer_lost</code>: the change was made, but its response is lost. Read the
        record.
      </li>
      <li>
        422 <code>key_reused</code>: the key was used for a different request.
      </li>
    </ul>
  </section>
);

const listParameters = [
  ['page', '2', 'Starts at 1. A page past the end is 200 with empty data.'],
  ['limit', '50', 'Records per page; 10 by default, 100 at most.'],
  ['orderBy', 'name;created_at', 'Fields to sort by. The id is always the last one.'],
  ['sortedBy', 'desc', 'asc or desc, for all fields.'],
  ['search', 'name:blue;active:true', 'field:value; without a colon, searches all text fields.'],
  ['searchFields', 'name:like', 'like (contains), = or in (comma-separated values), per field.'],
  ['searchJoin', 'or', 'How the pairs of search combine: or, or by default and.'],
  ['date', 'created_at:2031-03-01|2031-03-31', "Days in the store's time zone, both included."],
  ['include', 'skus,brand', 'Related records to add; also for one record.'],
  ['skipCache', '1', 'Accepted without effect; nothing is cached.'],
] as const;

/** Pagination and the query parameters of every list. */
export const ListsSection = () => (
  <section id="lists" aria-labelledby="lists-title">
    <h2 id="lists-title">Lists: pagination and query parameters</h2>
    <p>
      A page has <code>data</code> and <code>meta.pagination</code>:{' '}
      <code>total, count, per_page, current_page, total_pages</code> and{' '}
      <code>links.previous, links.next</code>. A link is the empty string if there is no such page.
      The <code>Link</code> header contains the same links (RFC 8288). Follow <code>next</code>{' '}
      until it is empty.
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
        {listParameters.map(([name, example, meaning]) => (
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
      Text is compared and sorted without regard to case and accents. A malformed value of a known
      parameter returns 400 with the parameter in <code>errors</code>.
    </p>
  </section>
);

/** All errors with their bodies. */
export const ErrorsSection = ({ errors }: DocsPageProps) => (
  <section id="errors" aria-labelledby="errors-title">
    <h2 id="errors-title">Errors</h2>
    <p>
      An error has <code>message</code> and <code>status_code</code>. Invalid data also has{' '}
      <code>errors</code>: lists of messages by the dotted path of the field. All invalid fields of
      a body are reported together. <code>code</code> is present where a program may need to branch
      on it.
    </p>
    <table>
      <caption class="visually-hidden">Errors by status</caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">When</th>
          <th scope="col">Body</th>
        </tr>
      </thead>
      <tbody>
        {errors.map(({ status, description, headers, examples }) => (
          <tr id={`error-${status}`}>
            <th scope="row">{status}</th>
            <td>
              {description}
              {headers.length > 0 && ' Headers: '}
              {headers.length > 0 && <code>{headers.join(', ')}</code>}
            </td>
            <td class="examples">
              {examples.map(({ summary, body }) => (
                <div>
                  <span class="muted">{summary}</span>
                  <br />
                  <code>{body}</code>
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
