import type { Area, Scope } from './scopes.ts';

/** Areas whose rows hold data of people other than the merchant (contract, section 5). */
const personalAreas: readonly Area[] = ['comments', 'customers', 'carts', 'orders', 'transactions'];

/** Scopes that can move money, change credentials or send data elsewhere (contract, section 5). */
export const dangerousScopes = [
  'transactions.write',
  'payments.write',
  'config.write',
  'webhooks.write',
] as const satisfies readonly Scope[];

export type DangerousScope = (typeof dangerousScopes)[number];

export const isDangerous = (scope: Scope): scope is DangerousScope =>
  (dangerousScopes as readonly Scope[]).includes(scope);

/** Whether what a scope opens holds personal data of others. */
export const isPersonal = (scope: Scope): boolean =>
  personalAreas.some((area) => scope.startsWith(`${area}.`));
