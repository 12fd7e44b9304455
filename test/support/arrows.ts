// The tables of the sources document, transcribed as they stand there.

/** Where an order may go. */
const orderTable = `
| waiting_payment | paid, refused, cancelled |
| refused | waiting_payment (a new transaction), cancelled |
| paid | handling_products, invoiced, cancelled |
| handling_products | invoiced, ready_for_shipping, cancelled |
| invoiced | ready_for_shipping, on_carriage; cancelled only after every invoice is cancelled |
| ready_for_shipping | on_carriage, cancelled |
| on_carriage | delivered, shipment_exception |
| shipment_exception | on_carriage, delivered, cancelled |
| delivered, cancelled | terminal |`;

/** The numbers of the states. */
export const orderNumbers =
  '3 waiting_payment, 4 paid, 8 cancelled, 9 refused, 5 handling_products, 6 on_carriage, 7 delivered, 10 invoiced, 11 shipment_exception, 12 ready_for_shipping';

/** What a state of a transaction means. */
export const transactionTable = `
| waiting_payment | false | false | false | false | true |
| authorized | true | false | false | true | true |
| paid | true | true | false | false | true |
| refused | false | false | false | false | false |
| cancelled | as before | false | true | false | false |
| refunded | true | true | true | false | false |`;

/** Where a transaction may go. */
const transactionArrowLine =
  'waiting_payment → paid / refused / cancelled; authorized → paid / cancelled / refused; paid → refunded';

/** The cells of a table. */
export const cellsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const states = new Set(orderNumbers.split(', ').map((pair) => pair.split(' ')[1] ?? ''));
const wordsIn = (text: string) => [
  ...new Set((text.match(/[a-z_]+/g) ?? []).filter((word) => states.has(word))),
];

/** The states that an order may go to from each. */
export const allowedFrom = new Map(
  cellsOf(orderTable).flatMap(([from = '', to = '']) =>
    wordsIn(from).map((word) => [word, wordsIn(to)] as const),
  ),
);

/** The states that a transaction may go to from each. */
export const transactionAllowedFrom = new Map(
  transactionArrowLine.split('; ').map((arrow) => {
    const [from = '', to = ''] = arrow.split(' → ');
    return [from, to.split(' / ')] as const;
  }),
);
