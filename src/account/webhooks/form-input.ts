import { cleanFormLine } from '../../codecs/fields/normalize-text.ts';
import { url as urlField } from '../../codecs/fields/string-formats.ts';
import { type EventName, eventNames } from '../../events/catalogue.ts';
import type { WebhookFormError } from '../../pages/webhooks/webhook-form-page.tsx';
import type { Settings } from '../../settings.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import { checkUrl } from '../../webhooks/url-policy/check.ts';

/** The fields of the form as they were typed. */
export interface TypedWebhook {
  name: string;
  url: string;
  events: readonly EventName[];
}

const maxNameLength = 100;

/** Reads the form. Unknown events are left out. */
export function readWebhookForm(form: URLSearchParams): TypedWebhook {
  const chosen = new Set(form.getAll('events'));
  return {
    name: form.get('name') ?? '',
    url: (form.get('url') ?? '').trim(),
    events: eventNames.filter((name) => chosen.has(name)),
  };
}

/** Checks the form by the rules of the API. Returns the values to store, or what is wrong with them. */
export async function checkWebhookForm(
  typed: TypedWebhook,
  settings: Settings,
): Promise<{ values: TypedWebhook } | { faults: WebhookFormError[] }> {
  const name = cleanFormLine(typed.name, maxNameLength);
  const url = urlField().safeParse(typed.url);
  const faults: WebhookFormError[] = [];
  if (name === '') faults.push('nameMissing');
  if (name === undefined) faults.push('nameLong');
  if (typed.url === '') faults.push('urlMissing');
  else if (!url.success) faults.push('urlWrong');
  else if ((await checkUrl(typed.url, settings, defaultDeliveryDeps)) !== undefined)
    faults.push('urlRefused');
  if (typed.events.length === 0) faults.push('eventsMissing');
  return faults.length > 0 ? { faults } : { values: { ...typed, name: name ?? '' } };
}
