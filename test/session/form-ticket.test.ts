import { describe, expect, it } from 'vitest';
import { FormTicket } from '../../src/session/form-ticket.ts';

const key = (letter: string) => btoa(letter.repeat(32));
const keys = { tokenKeys: { current: key('a'), previous: undefined } };
const [one, other] = [{ idHash: 'one' }, { idHash: 'other' }];
const ticketOf = (ticket: string) => new URLSearchParams({ ticket });

describe('FormTicket', () => {
  const ticket = new FormTicket<{ to: string }>('test');

  it('opens for the browser it was sealed for, until its time is over', async () => {
    const form = ticketOf(await ticket.seal(keys, one, { to: '/x' }, 1_000));
    expect(await ticket.open(keys, one, form, 999)).toEqual({ data: { to: '/x' } });
    const late = { fault: 'expired', data: { to: '/x' } };
    expect(await ticket.open(keys, one, form, 1_000)).toEqual(late);
    expect(await ticket.open(keys, other, form, 999)).toEqual({ fault: 'foreign' });
  });

  it('does not open under another purpose or key, or when it is none', async () => {
    const sealed = await ticket.seal(keys, one, { to: '/x' }, 1_000);
    const elsewhere = new FormTicket<{ to: string }>('other');
    const forged = { fault: 'forged' };
    expect(await elsewhere.open(keys, one, ticketOf(sealed), 0)).toEqual(forged);
    const stranger = { tokenKeys: { current: key('b'), previous: undefined } };
    expect(await ticket.open(stranger, one, ticketOf(sealed), 0)).toEqual(forged);
    for (const junk of ['x', 'v1.', 'v1.%%%', `${sealed}A`]) {
      expect(await ticket.open(keys, one, ticketOf(junk), 0), junk).toEqual(forged);
    }
    expect(await ticket.open(keys, one, ticketOf(''), 0)).toEqual({ fault: 'missing' });
  });

  it('still opens after the key was changed, while the former one is kept', async () => {
    const form = ticketOf(await ticket.seal(keys, one, { to: '/x' }, 1_000));
    const changed = { tokenKeys: { current: key('b'), previous: key('a') } };
    expect(await ticket.open(changed, one, form, 0)).toEqual({ data: { to: '/x' } });
  });
});
