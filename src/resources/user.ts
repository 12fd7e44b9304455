import { operation } from '../http/operation.ts';
import { bareRecord } from '../http/replies.ts';
import { UserSchema } from '../schemas/store/user.ts';

export const userOperations = [
  operation({
    id: 'showMe',
    route: 'POST /auth/me',
    access: 'signed-in',
    reply: bareRecord(UserSchema),
    errors: [401],
    note: 'With an API key (User-Token and User-Secret-Key), merchants lists all stores of the user, inactive ones included; with a bearer token, only the store of its grant. An app sees the name and the e-mail address of the user; all other personal data and the e-mail address of the owner are null for it. Times of the user are in America/Sao_Paulo, those of a store in its own time zone.',
    run: async ({ account }) => {
      const found = await account.profile();
      if (!found) return undefined;
      const { user, merchants } = found;
      const isOwner = merchants.some(({ owner_id }) => owner_id === user.id);
      return {
        ...user,
        type: 'user',
        is_owner: isOwner,
        merchant_owner: isOwner,
        super_user: false,
        created_at_timestamp: Math.floor(user.created_at / 1000),
        merchants: {
          data: merchants.map((merchant) => ({
            ...merchant,
            has_domain: merchant.domain !== null,
            owner_created_at: { at: merchant.owner_created_at, zone: merchant.zone },
            created_at: { at: merchant.created_at, zone: merchant.zone },
          })),
        },
      };
    },
  }),
];
