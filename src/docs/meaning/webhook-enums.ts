import { eventMeanings, specifiedEventNames } from '../../data/grants/event-catalogue.ts';
import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** The states and kinds of webhooks: their meaning, and the meaning of each value. */
export const webhookEnums: DocumentTexts['enums'] = {
  EventName: {
    description: 'Something that happened in a store. Webhooks subscribe to these names.',
    values: Object.fromEntries(
      Object.entries(eventMeanings).map(([name, meaning]) => [name, `${meaning}.`]),
    ),
  },
  ListedEventName: {
    description: 'An event that the list of events has.',
    values: Object.fromEntries(
      specifiedEventNames.map((name) => [name, `${eventMeanings[name]}.`]),
    ),
  },
  DisconnectionReason: {
    description: 'Why the last connection of an app to a store ended.',
    values: {
      code_replayed: 'An authorization code was used a second time.',
      refresh_token_reused: 'A used refresh token was sent again, and may have been stolen.',
      revoked_by_app: 'Your app revoked it.',
      disconnected_by_merchant: 'The merchant disconnected the app.',
      app_withdrawn: 'The app was disabled, or returned to draft.',
      too_many_grants: 'A newer connection to the same store replaced it.',
      member_removed: 'The member who had allowed the app no longer manages the store.',
      consent_ended: 'The consent of the member who had allowed the app has ended.',
    },
  },
  DeliveryFilter: {
    description: 'Which deliveries of the log are listed.',
    values: {
      open: 'Those that are being sent, or wait for their next attempt.',
      delivered: 'Those that your server answered with 2xx.',
      gave_up: 'Those whose attempts all failed.',
      held: 'Those that wait until the webhook, or the right of its app, is back.',
      cancelled: 'Those that will not be sent.',
      failed: 'Those whose last attempt failed, whether they are open, held or given up.',
    },
  },
  DeliveryState: {
    description: 'What became of one event for one webhook.',
    values: {
      open: 'Is being sent, or waits for its next attempt.',
      delivered: 'Your server answered 2xx.',
      gave_up: 'All attempts failed. A replay sends it again.',
      held: 'The webhook is paused or disabled, or the app may not receive the event at the moment.',
      cancelled:
        'Will not be sent: the webhook was deleted, or it was held until its event was too old.',
    },
  },
  ReplayableState: {
    description: 'States of past deliveries that a replay can pick.',
    values: {
      delivered: 'Your server answered 2xx.',
      gave_up: 'All attempts failed.',
      held: 'Not sent while the webhook was paused or disabled.',
      cancelled: 'Not sent, because it was held until its event was too old.',
    },
  },
  WebhookState: {
    description: 'How a webhook does at the moment.',
    values: {
      active: 'Events are sent, and the newest arrived.',
      failing: 'Your address refuses what is sent; attempts go on.',
      paused: 'Switched off by a person or program: events are held.',
      disabled: 'Switched off by the service after five days without success.',
      gone: 'Switched off because your address answered 410.',
    },
  },
  DeliveryError: {
    description: 'Why an attempt to deliver failed.',
    values: {
      timeout: 'No answer in time.',
      connect: 'No connection to the server.',
      dns: 'The host name does not exist.',
      tls: 'The certificate is not valid.',
      edge_52x: 'A network in front of the server could not reach it.',
      http_4xx: 'Answered with a status from 400 to 499.',
      http_5xx: 'Answered with a status from 500 on.',
      redirect: 'Answered with a redirect, which is not followed.',
      blocked_url: 'The host is not public, so nothing was sent.',
      internal: 'The request failed for another reason.',
    },
  },
  DeliveryTrigger: {
    description: 'Why a delivery was made.',
    values: {
      event: 'The event happened while the webhook was subscribed to it.',
      replay: 'The event was asked for again; replay_of names the first delivery.',
    },
  },
  ReplayState: {
    description: 'How far a replay has come.',
    values: {
      running: 'Deliveries are being made; done and total show how many.',
      done: 'All deliveries are made. They may still be on their way.',
      cancelled: 'Stopped; deliveries that were made are still sent.',
    },
  },
  RotationState: {
    description: 'How far the rotation of a signing secret has come.',
    values: {
      single: 'No rotation: one secret signs.',
      overlap: 'The old secret signs the main header, the new one -Next. Accept both.',
      committed: 'The new secret signs the main header, the old one -Previous.',
    },
  },
  BodyEncoding: {
    description: 'How the recorded bytes of a response are shown.',
    values: {
      'utf-8': 'As text.',
      base64: 'In Base64, because they are no valid UTF-8.',
    },
  },
};
