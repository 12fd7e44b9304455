import { endOwnSessions } from '../../accounts/sign-in/sessions.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { listSessions } from '../../data/directory/security-overview.ts';
import { confirmation } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { browserPaths, securityPaths } from '../../web/paths.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { SessionsPage } from './sessions-page.tsx';

/** `GET /account/sessions`: the devices on which the user is signed in. */
export async function showSessions(page: SignedInPage) {
  const { browser, messages, language } = page;
  const sessions = await loadSessions(page);
  const countries = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  return (
    <SessionsPage
      dashboard={page.dashboard('security')}
      devices={sessions.map(({ idHash, device, country, startedAt, seenAt }) => ({
        name: nameOf(device, messages),
        isHere: idHash === browser.idHash,
        country: country === null ? undefined : countries.of(country),
        startedAt,
        seenAt,
        endHref: securityPaths.endSession(idHash),
      }))}
      zone={defaultZone}
      done={page.done(['one', 'others'])}
      endOthersHref={securityPaths.endOtherSessions}
    />
  );
}

const loadSessions = ({ directory, user, now }: SignedInPage) =>
  listSessions(directory, user.id, now);

const nameOf = (device: string, { security }: Messages) =>
  device === '' ? security.sessions.unknownDevice : device;

const ofSessions = { role: 'user', limit: 'pages', part: 'security' } as const;

/** `/account/sessions/{id}/end`: signs a device out; nothing happens if it is signed out already. 404 for other users. */
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
