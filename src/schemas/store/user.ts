import * as z from 'zod';
import { restrictedTo } from '../../access/may-see.ts';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import {
  dateTime,
  dateTimeInZone,
  localDateTime,
  localDateTimeInZone,
} from '../../codecs/time/date-time.ts';

const nullableLine = z.string().nullable();

/** A field about a person. The consent page promises an app the name and the e-mail address of the user only. */
const personal = <S extends z.ZodType>(schema: S) => restrictedTo('api-key', schema);

const personalLine = personal(nullableLine);

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
    created_at: dateTime,
    updated_at: dateTime,
    created_at_timestamp: z.int(),
    merchants: z.object({ data: z.array(MerchantSchema) }),
  })
  .meta({ id: 'User' });
