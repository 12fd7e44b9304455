import * as z from 'zod';
import { operation } from '../http/operation.ts';
import { bare } from '../http/replies.ts';
import { shownBool } from '../wire/bool.ts';
import { dateTime, dateTimeIn, local, localIn } from '../wire/datetime.ts';

const nullableLine = z.string().nullable();

/** A store of the user; its moments are in its own zone. */
const Merchant = z
  .object({
    id: z.int(),
    owner_id: z.int(),
    active: shownBool,
    alias: z.string(),
    name: z.string(),
    base_url: z.string(),
    domain: nullableLine,
    icon_url: nullableLine,
    logo_url: nullableLine,
    owner_email: z.string(),
    owner_created_at: localIn,
    domains_list: z.array(z.string()),
    tags: z.array(z.string()),
    has_domain: z.boolean(),
    has_affiliations: shownBool,
    has_credit_card: shownBool,
    created_at: dateTimeIn,
  })
  .meta({ id: 'Merchant' });

/** The signed-in user with the stores that the credentials reach (contract 3.1). */
export const User = z
  .object({
    id: z.int(),
    active: shownBool,
    agree: shownBool,
    allow_notifications: shownBool,
    mfa_enabled: shownBool,
    is_owner: z.boolean(),
    merchant_owner: z.boolean(),
    super_user: z.boolean(),
    name: z.string(),
    type: z.string(),
    email: z.string(),
    social_name: nullableLine,
    cpf: nullableLine,
    phone: nullableLine,
    address_street: nullableLine,
    address_number: nullableLine,
    address_neighborhood: nullableLine,
    address_complement: nullableLine,
    address_city: nullableLine,
    address_state: nullableLine,
    address_zipcode: nullableLine,
    temporary_email: nullableLine,
    birthday: nullableLine,
    avatar_url: nullableLine,
    last_login_at: local.nullable(),
    confirmed_at: local.nullable(),
    created_at: dateTime,
    updated_at: dateTime,
    created_at_timestamp: z.int(),
    merchants: z.object({ data: z.array(Merchant) }),
  })
  .meta({ id: 'User' });

export const userOperations = [
  operation({
    id: 'showMe',
    route: 'POST /auth/me',
    access: 'signed-in',
    reply: bare(User),
    rejects: [401],
    note: 'With a header pair, merchants lists all stores of the user, inactive ones included; with a bearer token the store of its grant alone. Moments of the user are in America/Sao_Paulo, those of a store in the zone of the store.',
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
