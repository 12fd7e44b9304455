import type { PaymentTerms } from './payment-terms.ts';

/** A number of installments and their cost; all values in cents. */
export interface InstallmentOption {
  installments: number;
  installment_value: number;
  buyer_amount: number;
  buyer_installment_value: number;
}

interface InstallmentSettings {
  min_installment_value: number;
  max_installments_without_tax: number;
}

/**
 * Returns every allowed number of installments of an amount. One is always allowed. Others come
 * from the plan or, without a plan, go up to `max_installments_without_tax`. Above that number the
 * buyer pays the tax of the plan. No installment is below `min_installment_value`; installments are
 * rounded up to a cent.
 */
export function allowedInstallments(
  amount: number,
  config: InstallmentSettings,
  plan: PaymentTerms['plan'],
): InstallmentOption[] {
  const maxUntaxed = config.max_installments_without_tax;
  const numbers =
    plan.length > 0
      ? plan.map(({ installment }) => installment)
      : Array.from({ length: maxUntaxed }, (_, index) => index + 1);
  return [...new Set([1, ...numbers])]
    .toSorted((one, other) => one - other)
    .map((count) => {
      const tax = plan.find(({ installment }) => installment === count)?.tax ?? 0;
      return splitAmount(amount, count, count > maxUntaxed ? tax : 0);
    })
    .filter(
      ({ installments, buyer_installment_value }) =>
        installments === 1 || buyer_installment_value >= config.min_installment_value,
    );
}

/** Splits an amount in cents; `tax` is a percentage. */
function splitAmount(amount: number, installments: number, tax: number): InstallmentOption {
  const buyer_amount = Math.round(amount + (amount * tax) / 100);
  return {
    installments,
    installment_value: Math.ceil(amount / installments),
    buyer_amount,
    buyer_installment_value: Math.ceil(buyer_amount / installments),
  };
}

/**
 * Formats installments as Brazilian shops do: `3x R$ 1.033,34`. `cents` is the value of one
 * installment.
 */
export function formatInstallments(count: number, cents: number): string {
  const [whole = '', fraction = ''] = (cents / 100).toFixed(2).split('.');
  return `${count}x R$ ${whole.replace(/\B(?=(?:\d{3})+$)/g, '.')},${fraction}`;
}
