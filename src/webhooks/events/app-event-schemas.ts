import * as z from 'zod';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { explainEnum } from '../../base/codecs/meaning.ts';
import { revocationReasons } from '../../data/grants/add-and-revoke.ts';

const ofApp = {
  client_id: z.string().describe('The app whose webhook receives this, as OAuth requests name it.'),
};

/**
 * The events that the webhook of an app itself receives, as the OpenAPI document describes them.
 * They are not among those that a store's webhooks subscribe to, and need no scope.
 */
export const appEventDefinitions = [
  {
    name: 'app.connected',
    meaning: 'App connected to a store',
    scopes: [],
    resource: z
      .object(ofApp)
      .meta({ id: 'AppConnection', description: 'What app.connected is about.' }),
  },
  {
    name: 'app.disconnected',
    meaning: 'Last connection of an app to a store ended',
    scopes: [],
    resource: z
      .object({ ...ofApp, reason: z.enum(revocationReasons).describe('Who or what ended it.') })
      .meta({ id: 'AppDisconnection', description: 'What app.disconnected is about.' }),
  },
  {
    name: 'customer.anonymized',
    meaning: 'Customer anonymised or deleted',
    scopes: [],
    resource: z
      .object({ ...ofApp, id: idOutput.describe('Customer whose data you have to delete, too.') })
      .meta({ id: 'CustomerAnonymization', description: 'What customer.anonymized is about.' }),
  },
  {
    name: 'store.closed',
    meaning: 'Store closed',
    scopes: [],
    resource: z
      .object({
        ...ofApp,
        erase_at: z.string().meta({
          description:
            "When the data of the store are erased, as local time in the store's time zone.",
          examples: ['2031-04-04 09:04:07'],
        }),
      })
      .meta({ id: 'StoreClosing', description: 'What store.closed is about.' }),
  },
  {
    name: 'store.renamed',
    meaning: 'Alias of a store changed',
    scopes: [],
    resource: z
      .object({
        ...ofApp,
        alias: z.string().describe('What the store is called when this is recorded.'),
        former_alias: z
          .string()
          .meta({ description: 'What you have filed the store under.', examples: ['first-demo'] }),
      })
      .meta({ id: 'StoreRenaming', description: 'What store.renamed is about.' }),
  },
] as const;

/* @__PURE__ */ explainEnum(
  'DisconnectionReason',
  'Why the last connection of an app to a store ended.',
  {
    code_replayed: 'An authorization code was used a second time.',
    refresh_token_reused: 'A used refresh token was sent again, and may have been stolen.',
    revoked_by_app: 'Your app revoked it.',
    disconnected_by_merchant: 'The merchant disconnected the app.',
    app_withdrawn: 'The app was disabled, or returned to draft.',
    too_many_grants: 'A newer connection to the same store replaced it.',
    member_removed: 'The member who had allowed the app no longer manages the store.',
    consent_ended: 'The consent of the member who had allowed the app has ended.',
  },
);
