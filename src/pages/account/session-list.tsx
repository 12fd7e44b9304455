import { endOwnSessions } from '../../accounts/sign-in/session-actions.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { listSessions } from '../../data/directory/security-overview.ts';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { confirmation } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';

/** `GET /account/sessions`: the devices on which the user is signed in. */
export async function showSessions(page: SignedInPage) {
  const { browser, messages, language } = page;
  const sessions = await loadSessions(page);
  const countries = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  const zone = defaultZone;
  const t = messages.security.sessions;
  const done = page.done(['one', 'others']);
  const flash = done && (done === 'one' ? t.ended : t.endedOthers);
  return (
    <DashboardLayout {...page.dashboard('security')} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={flash} />
      <p class="measure">{t.lead}</p>
      <DataTable
        caption={t.caption}
        rows={sessions}
        columns={[
          { label: t.device, cell: ({ device }) => <bdi>{nameOf(device, messages)}</bdi> },
          {
            label: t.country,
            cell: ({ country }) =>
              (country === null ? undefined : countries.of(country)) ?? t.unknownCountry,
          },
          {
            label: t.since,
            cell: ({ startedAt }) => <FormattedTime {...{ language, zone }} at={startedAt} />,
          },
          {
            label: t.seen,
            cell: ({ seenAt }) => <FormattedTime {...{ language, zone }} at={seenAt} />,
          },
          {
            label: t.action,
            hasActions: true,
            cell: ({ idHash, device }) =>
              idHash === browser.idHash ? (
                <StateBadge tone="good" text={t.here} />
              ) : (
                <a
                  href={securityPaths.endSession(idHash)}
                  aria-label={t.endDevice.replace('{device}', () => nameOf(device, messages))}
                >
                  {t.end}
                </a>
              ),
          },
        ]}
      />
      <p class="muted">{t.seenHint}</p>
      {sessions.length > 1 && (
        <p class="actions">
          <a class="button danger" href={securityPaths.endOtherSessions}>
            {t.endOthers}
          </a>
        </p>
      )}
    </DashboardLayout>
  );
}

const loadSessions = ({ directory, user, now }: SignedInPage) =>
  listSessions(directory, user.id, now);

const nameOf = (device: string, { security }: Messages) =>
  device === '' ? security.sessions.unknownDevice : device;

const ofSessions = { role: 'user', limit: 'pages', part: 'security' } as const;

/**
 * `/account/sessions/{id}/end`: signs a device out; nothing happens if it is signed out already.
 * 404 for other users.
 */
export const endSessionForm = confirmation({
  ...ofSessions,
  path: securityPaths.endSession(':id'),
  async load(page) {
    const id = page.param('id');
    const session = (await loadSessions(page)).find(({ idHash }) => idHash === id);
    if (!session) throw notFound();
    return session;
  },
  ask({ messages }, { device }) {
    const t = messages.security.sessions;
    const question = t.endQuestion.replace('{device}', () => nameOf(device, messages));
    const paragraphs = [t.endConsequence];
    return { title: question, question, paragraphs, submit: t.end, back: browserPaths.sessions };
  },
  async submit(page) {
    await endOwnSessions(page.action, page.user.id, { idHash: page.param('id') });
    return page.redirect(`${browserPaths.sessions}?done=one`);
  },
});

/** `/account/sessions/end-others`: signs all other devices out. */
export const endOtherSessionsForm = confirmation({
  ...ofSessions,
  path: securityPaths.endOtherSessions,
  ask({ messages }) {
    const t = messages.security.sessions;
    return {
      title: t.endOthersQuestion,
      question: t.endOthersQuestion,
      paragraphs: [t.endOthersConsequence],
      submit: t.endOthers,
      back: browserPaths.sessions,
    };
  },
  async submit(page) {
    await endOwnSessions(page.action, page.user.id, { exceptIdHash: page.browser.idHash });
    return page.redirect(`${browserPaths.sessions}?done=others`);
  },
});
