import type { DocsPageProps, StateTable } from './props.ts';

/** The transitions of carts, orders and transactions. */
export const StatesSection = ({ stateTables }: DocsPageProps) => (
  <section id="states" aria-labelledby="states-title">
    <h2 id="states-title">States of carts, orders and transactions</h2>
    <p>
      An idle cart becomes abandoned and gets a reminder; a cart can become an order. An order is
      paid by its transactions, which are tried one after another until one of them is paid. The
      order is then invoiced, shipped and delivered.
    </p>
    <p>
      Each transition sends its events once, in the order of the last column. Any other transition
      is rejected, and the error lists the allowed ones.
    </p>
    {stateTables.map((table) => (
      <StateTableView {...table} />
    ))}
  </section>
);

const StateTableView = ({ caption, rows }: StateTable) => (
  <table>
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">State</th>
        <th scope="col">Next states</th>
        <th scope="col">Events on entry</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ state, next, events }) => (
        <tr>
          <th scope="row">
            <code>{state}</code>
          </th>
          <td data-label="Next states">{next.length > 0 ? next.join(', ') : 'none'}</td>
          <td data-label="Events on entry">
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
