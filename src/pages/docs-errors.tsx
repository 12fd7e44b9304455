import type { DocsProps } from './docs-props.ts';

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
