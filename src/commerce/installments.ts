import type { Terms } from './payment-terms.ts';

/** How an amount is paid in parts; all values in cents. */
export interface Installments {
  installments: number;
  installment_value: number;
  buyer_amount: number;
  buyer_installment_value: number;
}

interface Configured {
  min_installment_value: number;
  max_installments_without_tax: number;
}

/**
 * Every number of installments in which an amount may be paid, with what they come to (sources 5). One is always
 * allowed; others are those of the plan, or without a plan those up to `max_installments_without_tax`. Above that number
 * the buyer pays the tax of the plan on the amount. No part is below `min_installment_value`; parts are rounded up.
 */
export function allowedInstallments(
  amount: number,
  config: Configured,
  plan: Terms['plan'],
): Installments[] {
  const free = config.max_installments_without_tax;
  const numbers =
    plan.length > 0
      ? plan.map(({ installment }) => installment)
      : Array.from({ length: free }, (_, index) => index + 1);
  return [...new Set([1, ...numbers])]
    .toSorted((one, other) => one - other)
    .map((count) => {
      const tax = plan.find(({ installment }) => installment === count)?.tax ?? 0;
      return parts(amount, count, count > free ? tax : 0);
    })
    .filter(
      ({ installments, buyer_installment_value }) =>
        installments === 1 || buyer_installment_value >= config.min_installment_value,
    );
}

/** An amount in so many parts, at a tax in per cent. */
export function parts(amount: number, installments: number, tax: number): Installments {
  const buyer_amount = Math.round(amount + (amount * tax) / 100);
  return {
    installments,
    installment_value: Math.ceil(amount / installments),
    buyer_amount,
    buyer_installment_value: Math.ceil(buyer_amount / installments),
  };
}
