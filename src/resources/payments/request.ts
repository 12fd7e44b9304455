import type * as z from 'zod';
import { bool } from '../../wire/bool.ts';
import { id } from '../../wire/id.ts';
import { list, onlyOnce } from '../../wire/list.ts';
import { moment } from '../../wire/moment.ts';
import { money } from '../../wire/money.ts';
import { int, percent } from '../../wire/number.ts';
import { orNull } from '../../wire/or-null.ts';
import { orWrapped } from '../../wire/or-wrapped.ts';
import { periodErrors } from '../../wire/period.ts';
import { report } from '../../wire/report.ts';
import { request } from '../../wire/request.ts';
import { text } from '../../wire/text.ts';

/** The plan is replaced whole, so an installment is read as one that is new. */
const installment = request({
  required: { installment: int(1, 24) },
  optional: {
    tax: [percent(), 0],
    percent_discount: [percent(), 0],
    start_at: [orNull(moment), null],
    end_at: [orNull(moment), null],
  },
}).post;

const plan = list(installment, { max: 24 })
  .superRefine(onlyOnce((one) => one.installment, 'installment'))
  .superRefine((sent, context) => {
    for (const [index, { start_at, end_at }] of sent.entries()) {
      report(context, periodErrors({ stopwatch: null, start_at, end_at }), [index]);
    }
  });

/** The body of PUT payment configurations (contract 3.11): what is not sent stays. */
export const ConfigurationChanges = request({
  optional: {
    active: [bool, false],
    default_display: [bool, false],
    spread: [bool, false],
    ignore_promotions: [bool, false],
    accumulate_discount: [bool, false],
    affiliation_id: [orNull(id()), null],
    percent_discount: [percent(2), 0],
    min_installment_value: [money, 0],
    max_installments_without_tax: [int(1, 24), 1],
    billet_expire_days: [int(1, 60), 3],
    days_to_cancel_unpaid_billets: [int(1, 90), 5],
    hours_to_cancel_unpaid_pix: [int(1, 720), 24],
    billet_instructions: [orNull(text(500)), null],
    installments: [orWrapped(plan), []],
  },
}).put;

export type ConfigurationChanges = z.output<typeof ConfigurationChanges>;
