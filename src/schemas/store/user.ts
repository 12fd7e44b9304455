import * as z from 'zod';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import {
  dateTime,
  dateTimeInZone,
  localDateTime,
  localDateTimeInZone,
} from '../../codecs/time/date-time.ts';

const nullableLine = z.string().nullable();

/** A store of the user. Its timestamps are in its own time zone. */
const MerchantSchema = z
  .object({
    id: z.int(),
    owner_id: z.int(),
    active: boolOutput,
    alias: z.string(),
    name: z.string(),
    base_url: z.string(),
    domain: nullableLine,
    icon_url: nullableLine,
    logo_url: nullableLine,
    owner_email: z.string(),
    owner_created_at: localDateTimeInZone,
    domains_list: z.array(z.string()),
    tags: z.array(z.string()),
    has_domain: z.boolean(),
    has_affiliations: boolOutput,
    has_credit_card: boolOutput,
    created_at: dateTimeInZone,
  })
  .meta({ id: 'Merchant' });

/** The signed-in user with the stores that the credentials reach. */
export const UserSchema = z
  .object({
    id: z.int(),
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
    last_login_at: localDateTime.nullable(),
    confirmed_at: localDateTime.nullable(),
    created_at: dateTime,
    updated_at: dateTime,
    created_at_timestamp: z.int(),
    merchants: z.object({ data: z.array(MerchantSchema) }),
  })
  .meta({ id: 'User' });
