import * as z from 'zod';
import { dayMs } from '../../base/durations.ts';
import { HttpError, notFound } from '../../base/errors.ts';
import { webhookPaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { sentText } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/received-form.ts';
import type { SignedInPage } from '../../web/page.ts';
import {
  commitRotation,
  findRotation,
  rotateSecret,
} from '../../webhooks/endpoints/rotate-secret.ts';
import { openOwnWebhook, requireEndpoint } from './own-webhook.ts';
import { WebhookSecretPage } from './shown-secret.tsx';

/** A new signing secret and its webhook. */
export const webhookSecret = new ShownOnce<{ id: number; secret: string }>(
  'made-webhook-secret',
  'created-webhook-secret',
);

/** `GET /account/webhooks/{alias}/{id}/secret`: shows a new secret. A reload no longer shows it. */
export async function showWebhookSecret(page: SignedInPage) {
  const { id, name } = await requireEndpoint(page);
  const made = await webhookSecret.take(page);
  return (
    <WebhookSecretPage
      {...{ page, name }}
      part="webhooks"
      secret={made?.id === id ? made.secret : undefined}
      isFirst={page.query('done') === 'created'}
      webhookHref={webhookPaths.details(page.store.alias, id)}
    />
  );
}

/** The time during which both secrets sign, in milliseconds, by choice. */
const overlaps = { day: dayMs, week: 7 * dayMs, none: 0 } as const;

/** The choices, in the order of the form. */
const overlapChoices = ['day', 'week', 'none'] as const;

/**
 * `/account/webhooks/{alias}/{id}/rotate`: the two steps that replace the signing secret. The first
 * shows the new secret once, the second (`finish`) makes it the main one.
 */
export const rotationForm = userForm({
  path: webhookPaths.rotate(':alias', ':id'),
  role: Role.manager,
  // The secret is shown next.
  proof: true,
  limit: 'webhooks',
  part: 'webhooks',
  async load(page) {
    const { db, actor, id } = openOwnWebhook(page);
    const [{ name }, rotation] = await Promise.all([
      requireEndpoint(page),
      findRotation(db, actor, id),
    ]);
    const { state = 'single', until = null } = rotation ?? {};
    return { id, name, state, until };
  },
  fields: () => z.object({ step: sentText, overlap: sentText }),
  view({ messages, language, store }, { id, name, state, until }) {
    const t = messages.webhookForms.rotate;
    const back = webhookPaths.details(store.alias, id);
    const time =
      until === null ? '' : <FormattedTime {...{ language }} zone={store.zone} at={until} />;
    const shared = {
      title: state === 'single' ? t.title : t.underWayTitle,
      heading: (
        <Interpolate
          text={state === 'single' ? t.question : t.underWay}
          parts={{ name: <UntrustedName name={name} /> }}
        />
      ),
      back,
      isWide: true,
    };
    if (state === 'single') {
      return {
        ...shared,
        paragraphs: [t.lead],
        fields: [
          {
            name: 'overlap',
            label: t.overlapQuestion,
            type: 'radio',
            options: overlapChoices.map((value) => ({ value, text: t.choices[value] })),
            value: 'day',
          },
        ],
        submit: { text: t.start, name: 'step', value: 'start' },
      };
    }
    const intro = (
      <p class="notice">
        <Interpolate text={t[state]} parts={{ time }} />
      </p>
    );
    return state === 'committed'
      ? { ...shared, intro, back: { href: back, text: messages.webhooks.resume.back } }
      : {
          ...shared,
          intro,
          note: t.finishLead,
          submit: { text: t.finish, name: 'step', value: 'finish' },
        };
  },
  async submit(page, { step, overlap }) {
    const { db, actor, id } = openOwnWebhook(page);
    const { alias } = page.store;
    try {
      if (step === 'finish') {
        if (!(await commitRotation(db, actor, id))) throw notFound();
        return page.redirect(`${webhookPaths.details(alias, id)}?done=rotated`);
      }
      const choice = overlapChoices.find((name) => name === overlap);
      if (!choice) {
        const text = page.messages.webhookForms.rotate.errors.notChosen;
        return { errors: [{ field: 'overlap', text }] };
      }
      const { sealingKeys } = page.settings;
      const options = { overlapMs: overlaps[choice], sealingKeys };
      const started = await rotateSecret(db, actor, id, options);
      if (!started) throw notFound();
      await webhookSecret.stash(page, { id, secret: started.secret_key });
      return page.redirect(webhookPaths.secret(alias, id));
    } catch (error) {
      // Another member took this step meanwhile; the page shows which one is next.
      if (error instanceof HttpError && error.status === 409) return page.redirect(page.path);
      throw error;
    }
  },
});
