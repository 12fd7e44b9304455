import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endsOfTrust } from '../../src/accounts/end-trust.ts';
import {
  actionTable,
  listActions,
  withoutLine,
  withoutMail,
} from '../support/node/action-table.ts';

const actions = listActions();

describe('an action', () => {
  it('writes a line of the audit, or is one of those that need none', () => {
    expect(actions.length).toBeGreaterThan(60);
    const silent = actions.filter(({ lines }) => lines.length === 0).map(({ name }) => name);
    expect(silent.toSorted()).toEqual(Object.keys(withoutLine).sort());
  });

  it('sends a mail, or is one of those that need none', () => {
    const silent = actions.filter(({ lines, mails }) => lines.length > 0 && mails.length === 0);
    expect(silent.map(({ name }) => name).toSorted()).toEqual(Object.keys(withoutMail).sort());
  });

  it('takes each row of the table of trust into its batch', () => {
    const taken = new Set(actions.flatMap(({ ends }) => ends));
    expect([...taken].sort()).toEqual(Object.keys(endsOfTrust).sort());
  });

  it('is in the README of src/accounts with what it leaves, as `npm run limits` writes it', () => {
    expect(readFileSync('src/accounts/README.md', 'utf8')).toContain(actionTable());
  });
});
