import * as z from 'zod';
import {
  dateTimeInZone,
  localDateTime,
  localDateTimeInZone,
  recordTimes,
} from '../base/codecs/fields/date-time.ts';
import { idOutput } from '../base/codecs/fields/ids.ts';
import { boolOutput } from '../base/codecs/fields/scalars.ts';
import { explain } from '../base/codecs/meaning.ts';
import { restrictedTo } from '../http/access/restricted-fields.ts';
import { explainOperations, operation } from '../http/operation.ts';
import { bareRecord } from '../http/replies.ts';

const nullableLine = z.string().nullable();

/**
 * A field about a user. The consent page promises an app the name and the e-mail address of the
 * user only.
 */
const personal = <S extends z.ZodType>(schema: S) => restrictedTo('api-key', schema);

const personalLine = personal(nullableLine);

/** A store of the user. Its timestamps are in its own time zone. */
const MerchantSchema = z
  .object({
    id: idOutput,
    owner_id: z.int(),
    active: boolOutput,
    alias: z.string(),
    name: z.string(),
    base_url: z.string(),
    domain: nullableLine,
    icon_url: nullableLine,
    logo_url: nullableLine,
    owner_email: personalLine,
    owner_created_at: personal(localDateTimeInZone.nullable()),
    domains_list: z.array(z.string()),
    tags: z.array(z.string()),
    has_domain: z.boolean(),
    has_affiliations: boolOutput,
    has_credit_card: boolOutput,
    created_at: dateTimeInZone,
  })
  .meta({ id: 'Merchant' });

/* @__PURE__ */ explain(
  MerchantSchema,
  'A store that the credentials reach. Its timestamps are in its own time zone.',
  {
    id: 'merchant_id in the records of the store.',
    owner_id: 'User who owns the store.',
    active: 'Whether the store is open to the API; while false, each of its operations is 403.',
    alias: 'Name of the store in every path of this API.',
    name: 'Name that buyers read.',
    base_url:
      'Address of the shop without a slash at the end; addresses of its pages start with it.',
    domain: 'Own domain of the shop; null for one of the platform.',
    icon_url: 'Address of the small square picture of the shop.',
    logo_url: 'Address of the logo of the shop.',
    owner_email: 'E-mail address of the owner.',
    owner_created_at: 'When the owner signed up, in local time of the store.',
    domains_list: 'All domains that lead to the shop.',
    tags: 'Labels that the platform gave the store.',
    has_domain: 'Whether domain is set.',
    has_affiliations: 'Whether the store has a payment contract.',
    has_credit_card: 'Whether the store pays the platform by credit card.',
    created_at: 'When the store was opened.',
  },
);

/** The signed-in user with the stores that the credentials reach. */
const UserSchema = z
  .object({
    id: idOutput,
    active: boolOutput,
    agree: boolOutput,
    allow_notifications: boolOutput,
    mfa_enabled: boolOutput,
    is_owner: z.boolean(),
    merchant_owner: z.boolean(),
    super_user: z.boolean(),
    name: z.string(),
    type: z.string(),
    email: z.string(),
    social_name: personalLine,
    cpf: personalLine,
    phone: personalLine,
    address_street: personalLine,
    address_number: personalLine,
    address_neighborhood: personalLine,
    address_complement: personalLine,
    address_city: personalLine,
    address_state: personalLine,
    address_zipcode: personalLine,
    temporary_email: personalLine,
    birthday: personalLine,
    avatar_url: personalLine,
    last_login_at: personal(localDateTime.nullable()),
    confirmed_at: personal(localDateTime.nullable()),
    ...recordTimes,
    created_at_timestamp: z.int(),
    merchants: z.object({ data: z.array(MerchantSchema) }),
  })
  .meta({ id: 'User' });

/* @__PURE__ */ explain(
  UserSchema,
  'The user behind the credentials, with the stores that these reach.',
  {
    active: 'Whether the user may sign in.',
    agree: 'Whether the user accepted the terms.',
    allow_notifications: 'Whether the user wants news by e-mail.',
    mfa_enabled: 'Whether the user has two-step sign-in.',
    is_owner: 'Whether the user owns one of the stores here.',
    merchant_owner: 'The same as is_owner, under its older name.',
    super_user: 'Whether the user is an operator, who runs this service.',
    name: 'How pages and mails address the person.',
    type: 'Kind of user; always user.',
    email: 'Address that the user signs in with.',
    social_name: 'Name that the user goes by, if another.',
    cpf: 'Tax number of the user.',
    phone: 'Phone number of the user.',
    address_street: "Street of the user's address.",
    address_number: "House number of the user's address.",
    address_neighborhood: "District of the user's address.",
    address_complement: "Flat, floor or building of the user's address.",
    address_city: "City of the user's address.",
    address_state: "State of the user's address.",
    address_zipcode: "Postal code of the user's address.",
    temporary_email: 'New address that waits for its confirmation.',
    birthday: 'Day of birth, YYYY-MM-DD.',
    avatar_url: "Address of the user's picture.",
    last_login_at: 'When the user last signed in, in the time of America/Sao_Paulo.',
    confirmed_at: 'When the user confirmed the e-mail address, in the time of America/Sao_Paulo.',
    created_at_timestamp: 'created_at in Unix seconds.',
    merchants:
      'Stores that the credentials reach: all of the user with an API key, one with a bearer token.',
  },
);

export const userOperations = [
  operation({
    id: 'showMe',
    route: 'POST /auth/me',
    access: 'signed-in',
    reply: bareRecord(UserSchema),
    errors: [401],
    run: async ({ account }) => {
      const found = await account().profile();
      if (!found) return undefined;
      const { user, merchants } = found;
      const isOwner = merchants.some(({ owner_id }) => owner_id === user.id);
      return {
        ...user,
        type: 'user',
        is_owner: isOwner,
        merchant_owner: isOwner,
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

/* @__PURE__ */ explainOperations({
  showMe:
    'With an API key (User-Token and User-Secret-Key), merchants lists all stores of the user, inactive ones included; with a bearer token, only the store of its grant. An app, and an API key with chosen scopes, see the name and the e-mail address of the user; all other personal data and the e-mail address of the owner are null for them. Times of the user are in America/Sao_Paulo, those of a store in its own time zone.',
});
