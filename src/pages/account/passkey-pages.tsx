import * as z from 'zod';
import { addPasskey, removePasskey } from '../../accounts/sign-in/passkeys.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { loadSecurity } from '../../data/directory/security-overview.ts';
import { passkeyScript } from '../../web/assets/assets.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { FormattedDate, FormattedTime } from '../../web/components/time.tsx';
import { formLine } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import {
  newPasskeyField,
  passkeyFields,
  PasskeyLink,
  readPasskey,
  type PasskeyValues,
} from '../../web/sign-in/passkey-field.tsx';
import { shownCodes } from './recovery-codes-form.tsx';

type Security = NonNullable<Awaited<ReturnType<typeof loadSecurity>>>;

type Passkey = Security['passkeys'][number];

async function loadOwn({ directory, user, now }: SignedInPage): Promise<Security> {
  const security = await loadSecurity(directory, user.id, now);
  if (!security) throw notFound();
  return security;
}

/**
 * `/account/security/passkeys/new`: adds a passkey. The first factor of a user leads to the
 * recovery codes, which are shown once.
 */
export const newPasskeyForm = userForm<Security, { name: string } & PasskeyValues>({
  path: securityPaths.newPasskey,
  role: 'user',
  // The new passkey is not kept.
  proof: 'toShow',
  limit: 'pages',
  part: 'security',
  load: loadOwn,
  fields: ({ security: { passkeys: t } }) =>
    z.object({
      name: formLine(60, { missing: t.nameMissing, long: t.nameLong }),
      ...passkeyFields,
    }),
  view(page, { passkeys }) {
    const t = page.messages.security.passkeys;
    const knownIds = passkeys.map(({ credentialId }) => credentialId);
    return {
      title: t.addTitle,
      paragraphs: [t.addLead],
      intro: (
        <noscript>
          <p>{t.needsBrowser}</p>
        </noscript>
      ),
      fields: [
        { name: 'name', label: t.addName, hint: t.addHint, type: 'text' },
        newPasskeyField(page, t, knownIds),
      ],
      submit: t.submit,
      hasOwnButton: true,
      back: browserPaths.security,
      scripts: [passkeyScript],
    };
  },
  async submit(page, { name, ...values }) {
    const { user, browser, messages } = page;
    const t = messages.security.passkeys;
    const sent = await readPasskey(page, 'create', values);
    if (!sent) return { errors: [{ text: t.needsBrowser }] };
    if (sent === 'invalid') return { errors: [{ text: t.wrong }] };
    const owner = { userId: user.id, idHash: browser.idHash };
    const result = await addPasskey(page.action, sent, { ...owner, name });
    if (typeof result === 'string') return { errors: [{ text: t[result] }] };
    if (!result.codes) return page.redirect(`${browserPaths.security}?done=added`);
    await shownCodes.stash(page, result.codes);
    return page.redirect(securityPaths.codes);
  },
});

/** `/account/security/passkeys/{id}/remove`: removes a passkey. 404 for other users. */
export const removePasskeyForm = confirmation({
  path: securityPaths.removePasskey(':id'),
  role: 'user',
  proof: true,
  limit: 'pages',
  part: 'security',
  load: requirePasskey,
  ask({ messages, user }, { name, isLast }) {
    const { passkeys: t, factor } = messages.security;
    const question = t.removeQuestion.replace('{name}', () => name);
    const last = [t.removeLast, ...(user.isOperator ? [factor.offOperator] : [])];
    return {
      title: question,
      question,
      paragraphs: [t.removeConsequence, ...(isLast ? last : [])],
      submit: t.remove,
      back: browserPaths.security,
    };
  },
  async submit(page) {
    const { id, name } = await requirePasskey(page);
    const { user, browser } = page;
    const owner = { userId: user.id, idHash: browser.idHash };
    await removePasskey(page.action, { ...owner, id, name });
    return page.redirect(`${browserPaths.security}?done=removed`);
  },
});

/** Finds a passkey of the user, and whether it is their only factor; else throws a 404. */
async function requirePasskey(page: SignedInPage): Promise<Passkey & { isLast: boolean }> {
  const { passkeys, hasApp } = await loadOwn(page);
  const passkey = passkeys.find(({ id }) => String(id) === page.param('id'));
  if (!passkey) throw notFound();
  return { ...passkey, isLast: !hasApp && passkeys.length === 1 };
}

/** The passkeys of a user, with a link to remove each. */
export const Passkeys = ({
  page,
  passkeys,
}: {
  page: SignedInPage;
  passkeys: readonly Passkey[];
}) => {
  const { language, messages } = page;
  const zone = defaultZone;
  const t = messages.security.passkeys;
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">{t.title}</h2>
      <p class="measure">{t.lead}</p>
      {passkeys.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <DataTable
          caption={t.caption}
          rows={passkeys}
          columns={[
            { label: t.name, cell: ({ name }) => <bdi>{name}</bdi> },
            {
              label: t.made,
              cell: ({ createdAt }) => <FormattedDate {...{ language, zone }} at={createdAt} />,
            },
            {
              label: t.used,
              cell: ({ usedAt, blockedAt }) => {
                if (blockedAt !== null) return t.blocked;
                return usedAt === null ? (
                  t.never
                ) : (
                  <FormattedTime {...{ language, zone }} at={usedAt} />
                );
              },
            },
            {
              label: t.action,
              hasActions: true,
              cell: ({ id, name }) => (
                <a
                  href={securityPaths.removePasskey(String(id))}
                  aria-label={t.removeNamed.replace('{name}', () => name)}
                >
                  {t.remove}
                </a>
              ),
            },
          ]}
        />
      )}
      <PasskeyLink href={securityPaths.newPasskey} text={t.add} isButton />
    </section>
  );
};
