import { id } from '../../wire/id.ts';
import { int } from '../../wire/number.ts';
import { orNull } from '../../wire/or-null.ts';
import { line } from '../../wire/text.ts';
import { truncatedCard } from '../../wire/truncated-card.ts';

/** How an order is to be paid, besides the payment type (sources 5). */
export const paymentChoice = {
  installments: [int(1, 24), 1],
  affiliation_id: [orNull(id()), null],
  holder_name: [orNull(line(100)), null],
  holder_document: [orNull(line(20)), null],
  truncated_card: [orNull(truncatedCard), null],
} as const;
