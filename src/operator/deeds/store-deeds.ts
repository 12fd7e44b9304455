import * as z from 'zod';
import { toFieldErrors } from '../../codecs/body/field-errors.ts';
import { email } from '../../codecs/fields/string-formats.ts';
import { choice } from '../../codecs/fields/text.ts';
import { ValidationError } from '../../errors.ts';
import { requestJob } from '../../jobs/request.ts';
import { inviteMember } from '../../people/invitations/invite-member.ts';
import { removeMember } from '../../people/members/remove-member.ts';
import { deactivateStore, reactivateStore } from '../../people/stores/activate.ts';
import { closeStore } from '../../people/stores/close.ts';
import { requireStore } from '../../people/stores/find-store.ts';
import { renameAlias } from '../../people/stores/rename.ts';
import type { PageDeed } from './page-deed.ts';

const NewMember = z.object({ email, role: choice(['manager', 'viewer']) });

/** What an operator does to a store. */
export const storeDeeds: readonly PageDeed[] = [
  {
    segment: 'invite',
    text: 'invite',
    endsSomething: false,
    fields: [
      { name: 'email', type: 'email', label: 'email' },
      { name: 'role', type: 'text', label: 'role', hint: 'roleHint', initial: 'viewer' },
    ],
    run: async (deed, id, values) => {
      const { data, error } = NewMember.safeParse(values);
      if (!data) throw new ValidationError(toFieldErrors(error));
      const result = await inviteMember(deed, await requireStore(deed, id), data);
      if (result === 'already_member') return 'already_member';
      return result === 'too_many' ? 'too_many_invitations' : undefined;
    },
  },
  {
    segment: 'rename',
    text: 'rename',
    endsSomething: true,
    fields: [{ name: 'alias', type: 'text', label: 'alias', hint: 'aliasHint' }],
    run: async (deed, storeId, { alias = '', reason = '' }) => {
      await renameAlias(deed, { storeId, alias, reason });
    },
  },
  {
    segment: 'export',
    text: 'export',
    endsSomething: false,
    run: async (deed, storeId) => {
      await requestJob(deed, { kind: 'store_export', storeId });
    },
  },
  {
    segment: 'move',
    text: 'move',
    endsSomething: true,
    fields: [{ name: 'shard', type: 'text', label: 'database' }],
    run: async (deed, storeId, { shard = '', reason = '' }) => {
      if (!/^\d{1,5}$/.test(shard)) throw new ValidationError({ shard: ['Must be a number.'] });
      await requestJob(deed, { kind: 'store_move', storeId, toShard: Number(shard), reason });
    },
  },
  {
    segment: 'deactivate',
    text: 'deactivate',
    endsSomething: true,
    isDangerous: true,
    run: async (deed, storeId, { reason = '' }) => {
      await deactivateStore(deed, { storeId, reason });
    },
  },
  {
    segment: 'reactivate',
    text: 'reactivate',
    endsSomething: false,
    run: async (deed, storeId) => {
      await reactivateStore(deed, { storeId });
    },
  },
  {
    segment: 'close',
    text: 'close',
    endsSomething: true,
    isDangerous: true,
    run: async (deed, storeId, { reason = '' }) => {
      await closeStore(deed, { storeId, reason });
    },
  },
  {
    segment: 'erase',
    text: 'erase',
    endsSomething: true,
    isDangerous: true,
    run: async (deed, storeId, { reason = '' }) => {
      await requestJob(deed, { kind: 'store_erasure', storeId, reason });
    },
  },
];

/** Takes the store away from a member. */
export const removeMemberDeed: PageDeed = {
  segment: 'remove',
  text: 'remove',
  endsSomething: true,
  isDangerous: true,
  run: async (deed, userId, { reason = '' }, storeId = 0) => {
    const store = await requireStore(deed, storeId);
    return (await removeMember(deed, store, userId, { reason })) ? undefined : 'owner_stays';
  },
};

/** The deeds that the state of a store allows. */
export const deedsOfStore = (state: 'active' | 'deactivated' | 'closed' | 'erased') => {
  const left: readonly string[] =
    state === 'active'
      ? ['reactivate']
      : state === 'deactivated'
        ? ['deactivate']
        : ['deactivate', 'close', 'move', 'invite'];
  return state === 'erased' ? [] : storeDeeds.filter(({ segment }) => !left.includes(segment));
};
