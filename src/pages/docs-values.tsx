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
        Not sure whether a write arrived? Send every POST, PUT and DELETE with an{' '}
        <code>Idempotency-Key</code> of its own, and send it again as it was: it is carried out
        once, and for a day the same answer comes again, with <code>Idempotent-Replayed: true</code>
        . The code <code>request_under_way</code> means that the change was made and its answer
        comes in a moment, <code>answer_lost</code> that it was made and you have to look.
      </li>
      <li>
        Send an <code>X-Request-Id</code> of 8 to 64 letters, digits, <code>_</code> or{' '}
        <code>-</code> to find a request again; the answer repeats it.
      </li>
    </ul>
  </section>
);
