import * as z from 'zod';
import {
  countOpenDoors,
  type OpenDoors,
  shutDoors,
  webhookDays,
} from '../../accounts/users/shut-doors.ts';
import { apiKeyPaths, browserPaths, securityPaths } from '../../base/page-paths.ts';
import type { FieldView } from '../../web/forms/form-page.tsx';
import { oneOf } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/received-form.ts';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';

const choices = ['1', '7', '30', 'none'] as const;

type WebhookChoice = (typeof choices)[number];

/** The days of a choice; 0 for no webhooks. */
const daysOf = (choice: WebhookChoice): (typeof webhookDays)[number] | 0 =>
  webhookDays.find((days) => String(days) === choice) ?? 0;

interface Ended {
  doors: OpenDoors;
  days: ReturnType<typeof daysOf>;
}

/** The outcome of the last form, on its way to the page that shows it once. */
const shownEnd = new ShownOnce<Ended>('shut-doors', 'shut-doors');

const countDoors = ({ action, user, browser }: SignedInPage) =>
  countOpenDoors(action, user.id, browser.idHash);

/**
 * `/account/security/shut-doors`: says what lets others act for the user, ends all of it at once,
 * and says what follows.
 */
export const shutDoorsForm = userForm({
  path: securityPaths.shutDoors,
  role: 'user',
  proof: true,
  limit: 'pages',
  part: 'security',
  async load(page, sent) {
    const ended = sent ? undefined : await shownEnd.take(page);
    return { ended, doors: ended?.doors ?? (await countDoors(page)) };
  },
  fields: ({ security }) => z.object({ webhooks: oneOf(choices, security.shutDoors.choose) }),
  view({ messages }, { ended, doors }) {
    const t = messages.security.shutDoors;
    if (ended) {
      const { webhooks } = t.done;
      const paused = ended.days === 0 ? [] : [`${webhooks}: ${doors.webhooks[ended.days]}`];
      return {
        title: t.done.title,
        paragraphs: [t.done.lead],
        intro: <Lines lines={[...linesOf(doors, messages), ...paused]} />,
        after: <p>{t.done.next}</p>,
        links: [
          { href: browserPaths.password, text: messages.account.password.title },
          { href: browserPaths.security, text: t.done.factor },
          { href: apiKeyPaths.create, text: messages.account.keys.create },
          { href: browserPaths.webhooks, text: t.done.seeWebhooks },
        ],
      };
    }
    return {
      title: t.title,
      paragraphs: [t.lead],
      intro: <Lines lines={linesOf(doors, messages)} />,
      fields: [webhooksField(doors, messages)],
      note: t.stays,
      submit: t.submit,
      isDangerous: true,
      back: browserPaths.security,
    };
  },
  async submit(page, { webhooks }) {
    const [days, doors] = [daysOf(webhooks), await countDoors(page)];
    await shutDoors(page.action, page.user.id, { keptIdHash: page.browser.idHash, days });
    await shownEnd.stash(page, { doors, days });
    return page.redirect(page.path);
  },
});

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul>
    {lines.map((line) => (
      <li>{line}</li>
    ))}
  </ul>
);

/** A line of each kind of door with its number. */
const linesOf = (doors: OpenDoors, { security: { shutDoors: t } }: Messages) =>
  (['sessions', 'devices', 'links', 'apiKeys', 'invitations', 'apps'] as const).map(
    (door) => `${t.doors[door]}: ${doors[door]}`,
  );

const webhooksField = (
  { webhooks }: OpenDoors,
  { security: { shutDoors: t } }: Messages,
): FieldView => ({
  name: 'webhooks',
  type: 'radio',
  label: t.webhooks,
  hint: t.webhooksHint,
  value: '7',
  options: choices.map((value) => {
    const days = daysOf(value);
    return { value, text: days === 0 ? t.since.none : `${t.since[days]}: ${webhooks[days]}` };
  }),
});
