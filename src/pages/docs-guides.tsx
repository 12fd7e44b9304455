import { Code } from './docs-code.tsx';
import type { DocsProps } from './docs-props.ts';

/** How values are written, and what POST, PUT and DELETE do with them. */
export const Values = () => (
  <section id="values" aria-labelledby="values-title">
    <h2 id="values-title">Values and writing</h2>
    <ul>
      <li>
        Most timestamps are <a href="#record-DateTime">DateTime</a> objects in the zone of the
        store.
      </li>
      <li>
        Money is a JSON number with at most two decimals. Booleans are answered as <code>true</code>{' '}
        or <code>false</code>; a body may also say <code>1</code>, <code>0</code>, <code>"1"</code>,{' '}
        <code>"0"</code>, <code>"true"</code> or <code>"false"</code>.
      </li>
      <li>
        Every documented member is always there; what is not set is <code>null</code>. Members may
        be added, so ignore those you do not know.
      </li>
      <li>
        <strong>POST</strong> applies the defaults. <strong>PUT</strong> keeps what is not sent;{' '}
        <code>null</code> clears a field that may be null. <strong>DELETE</strong> removes for good.
      </li>
      <li>
        Text is cleaned: tags and control characters go, white space at both ends too. Lengths count
        characters after that.
      </li>
      <li>
        Unknown fields and query parameters do nothing and are named in an <code>X-Warning</code>{' '}
        header. With <code>Prefer: handling=strict</code> they are refused.
      </li>
      <li>A write takes effect as a whole or not at all.</li>
      <li>
        Send an <code>X-Request-Id</code> of 8 to 64 letters, digits, <code>_</code> or{' '}
        <code>-</code> to find a request again; the answer repeats it.
      </li>
    </ul>
  </section>
);

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

/** Every error with its body. */
export const Errors = ({ errors }: DocsProps) => (
  <section id="errors" aria-labelledby="errors-title">
    <h2 id="errors-title">Errors</h2>
    <p>
      An error has <code>message</code> and <code>status_code</code>; invalid data also has{' '}
      <code>errors</code>, from the dotted path of a field to sentences; <code>code</code> is there
      where programs branch on it. All field problems of a body come together.
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

/** What a receiver gets and how it knows who sent it. */
export const Webhooks = ({ signatureHeader, deliveryHeaders, verification }: DocsProps) => (
  <section id="webhooks" aria-labelledby="webhooks-title">
    <h2 id="webhooks-title">Webhooks</h2>
    <p>
      A webhook is an address and the <a href="#events">events</a> it wants. Each event is a POST
      with <code>event</code>, <code>time</code> (of the store's zone), <code>merchant</code> and{' '}
      <code>resource</code>. Answer with any 2xx within 5 seconds and work afterwards. Anything else
      is tried again, up to 15 times over about three days; 410 switches the webhook off at once.
    </p>
    <p>
      An event may come more than once and out of order: remember <code>webhook-id</code>, which
      stays the same over retries. The numbers of a webhook's sequence have no gaps.
    </p>
    <table>
      <caption>Headers of a delivery</caption>
      <thead>
        <tr>
          <th scope="col">Header</th>
          <th scope="col">Meaning</th>
          <th scope="col">Example</th>
        </tr>
      </thead>
      <tbody>
        {deliveryHeaders.map(({ name, description, example }) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{description}</td>
            <td data-label="Example">
              <code>{example}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <h3 id="verify">Verify the signature</h3>
    <p>
      <code>{signatureHeader}</code> is the HMAC-SHA256 of the body, in Base64. The key is the whole
      text of the secret, <code>whsec_</code> included, that the creation of the webhook showed
      once. Always take the bytes of the body as they came: parsing and writing them again gives
      other bytes. The <code>webhook-*</code> headers follow Standard Webhooks, so its libraries
      work too; they also cover the moment, which stops old deliveries from being sent again.
    </p>
    {verification.map((sample) => (
      <Code {...sample} />
    ))}
  </section>
);
