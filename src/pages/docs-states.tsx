import type { DocsProps, StatesProps } from './docs-props.ts';

/** How carts, orders and transactions live: what may follow each state. */
export const States = ({ states }: DocsProps) => (
  <section id="states" aria-labelledby="states-title">
    <h2 id="states-title">States of carts, orders and transactions</h2>
    <p>
      A cart that is left idle is reminded of, and may become an order. An order is paid by its
      transactions, one after the other until one of them is; then it is invoiced, sent and
      delivered. Each arrow sends its events once, in the order of the last column; an arrow that is
      not listed is refused with the ones that are.
    </p>
    {states.map((table) => (
      <Table {...table} />
    ))}
  </section>
);

const Table = ({ caption, rows }: StatesProps) => (
  <table>
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">State</th>
        <th scope="col">May become</th>
        <th scope="col">Entering it sends</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ state, next, events }) => (
        <tr>
          <th scope="row">
            <code>{state}</code>
          </th>
          <td data-label="May become">{next.length > 0 ? next.join(', ') : 'nothing more'}</td>
          <td data-label="Sends">
            {events.map((event) => (
              <>
                <a href={`#event-${event}`}>{event}</a>{' '}
              </>
            ))}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
