import type * as z from 'zod';
import { addFieldIssues } from '../../base/codecs/field-errors.ts';
import { arrayOf, uniqueBy, orDataWrapped } from '../../base/codecs/fields/arrays-and-objects.ts';
import { dateTimeInput } from '../../base/codecs/fields/date-time.ts';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { periodErrors } from '../../base/codecs/fields/period.ts';
import { bool, money, int, percent } from '../../base/codecs/fields/scalars.ts';
import { text } from '../../base/codecs/fields/text.ts';
import { explainBody, explainChanges } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { InstallmentSchema, PaymentConfigurationSchema } from './configuration-schema.ts';

/** PUT replaces the whole plan, so every installment is read like a new one. */
const installment = requestBodies({
  required: { installment: int(1, 24) },
  optional: {
    tax: [percent(), 0],
    percent_discount: [percent(), 0],
    start_at: [orNull(dateTimeInput), null],
    end_at: [orNull(dateTimeInput), null],
  },
}).post;

/* @__PURE__ */ explainBody(installment, InstallmentSchema, {
  InstallmentPatch: 'One number of installments of a plan, with its interest.',
});

const plan = arrayOf(installment, { max: 24 })
  .superRefine(uniqueBy(({ installment: number }) => number, 'installment'))
  .superRefine((installments, context) => {
    for (const [index, { start_at, end_at }] of installments.entries()) {
      addFieldIssues(context, periodErrors({ stopwatch: null, start_at, end_at }), [index]);
    }
  });

export const PaymentConfigurationChanges = requestBodies({
  optional: {
    active: [bool, false],
    default_display: [bool, false],
    spread: [bool, false],
    ignore_promotions: [bool, false],
    accumulate_discount: [bool, false],
    affiliation_id: [orNull(recordId()), null],
    percent_discount: [percent(2), 0],
    min_installment_value: [money, 0],
    max_installments_without_tax: [int(1, 24), 1],
    billet_expire_days: [int(1, 60), 3],
    days_to_cancel_unpaid_billets: [int(1, 90), 5],
    hours_to_cancel_unpaid_pix: [int(1, 720), 24],
    billet_instructions: [orNull(text(500)), null],
    installments: [orDataWrapped(plan).describe('The whole plan; an empty one removes it.'), []],
  },
}).put;

/* @__PURE__ */ explainChanges(PaymentConfigurationChanges, PaymentConfigurationSchema, {
  PaymentConfigurationPatch: 'How the store accepts one payment type from now on.',
});

export type PaymentConfigurationChanges = z.output<typeof PaymentConfigurationChanges>;
