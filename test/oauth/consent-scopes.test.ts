import { describe, expect, it } from 'vitest';
import { bitsOf, scopes, type Scope } from '../../src/access/scopes.ts';
import { consentScopes } from '../../src/oauth/consent-scopes.ts';

const shown = (...asked: Scope[]) => consentScopes(bitsOf(new Set(asked)));

describe('consentScopes', () => {
  it('says of what may be written that it may be read', () => {
    expect(shown('customers.write')).toEqual({
      reads: ['customers.read'],
      writes: ['customers.write'],
      dangerous: [],
      personal: ['customers.read'],
    });
  });

  it('sets what can move money, change credentials or send data elsewhere apart from the rest', () => {
    const { dangerous, writes } = shown(...scopes);
    expect(dangerous).toEqual([
      'transactions.write',
      'payments.write',
      'config.write',
      'webhooks.write',
    ]);
    expect(writes).toHaveLength(7);
    expect(shown('transactions.read').dangerous).toEqual([]);
  });

  it('marks what holds personal data of others', () => {
    expect(shown(...scopes).personal).toEqual([
      'comments.read',
      'customers.read',
      'carts.read',
      'orders.read',
      'transactions.read',
    ]);
  });

  it('is empty for an app that asks for nothing', () => {
    expect(shown()).toEqual({ reads: [], writes: [], dangerous: [], personal: [] });
  });
});
