import { describe, expect, it } from 'vitest';
import { scopesToBits, scopes, type Scope, groupScopes } from '../../../src/data/grants/scopes.ts';

const groupsOf = (...requested: Scope[]) => groupScopes(scopesToBits(new Set(requested)));

describe('groupScopes', () => {
  it('lists the read scope beside a write scope, which includes it', () => {
    expect(groupsOf('customers.write')).toEqual({
      reads: ['customers.read'],
      writes: ['customers.write'],
      dangerous: [],
      personal: ['customers.read'],
    });
  });

  it('lists scopes that can move money, change credentials or send data elsewhere as dangerous', () => {
    const { dangerous, writes } = groupsOf(...scopes);
    expect(dangerous).toEqual([
      'transactions.write',
      'payments.write',
      'config.write',
      'webhooks.write',
    ]);
    expect(writes).toHaveLength(7);
    expect(groupsOf('transactions.read').dangerous).toEqual([]);
  });

  it('marks scopes that open personal data of others', () => {
    expect(groupsOf(...scopes).personal).toEqual([
      'comments.read',
      'customers.read',
      'carts.read',
      'orders.read',
      'transactions.read',
    ]);
  });

  it('returns empty groups for no scopes', () => {
    expect(groupsOf()).toEqual({ reads: [], writes: [], dangerous: [], personal: [] });
  });
});
