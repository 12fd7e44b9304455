import * as z from 'zod';
import { changeRole } from '../../accounts/members/change-role.ts';
import { handOverStore } from '../../accounts/members/hand-over.ts';
import { removeMember } from '../../accounts/members/remove-member.ts';
import { notFound } from '../../base/errors.ts';
import { assignableRoles, Role } from '../../base/roles.ts';
import { findMember } from '../../data/directory/members.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { confirmation, oneOf, userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { memberPaths } from '../../web/paths.ts';
import { ofOwner } from './store-actions.tsx';
import { membersDonePath, roleView } from './store-members.tsx';

/**
 * Loads the member of the path. Throws 404 for the owner, whose role changes by a hand-over only, and for users who
 * are no members.
 */
async function requireMember(page: SignedInPage) {
  const userId = page.id('userId');
  const member = await findMember(page.directory, { userId, storeId: page.store.id });
  if (!member || member.role === Role.owner) throw notFound();
  return member;
}

/** A form about the member of the path. */
const ofMember = { ...ofOwner, part: 'store/members', load: requireMember } as const;

const [alias, userId] = [':alias', ':userId'];

/** `/account/stores/:alias/members/:userId`: changes the role of a member. */
export const memberForm = userForm({
  ...ofMember,
  path: memberPaths.details(alias, userId),
  fields: ({ members }) => z.object({ role: oneOf(assignableRoles, members.invite.roleMissing) }),
  view({ messages, store }, member) {
    const t = messages.members.member;
    const name = { name: <bdi>{member.name}</bdi> };
    return {
      title: t.title.replace('{name}', () => member.name),
      heading: <Interpolate text={t.title} parts={name} />,
      intro: <p class="muted">{member.email}</p>,
      fields: [
        {
          ...roleView(messages),
          label: <Interpolate text={t.role} parts={name} />,
          hint: t.viewerHint,
          value: member.role,
        },
      ],
      submit: t.save,
      back: memberPaths.list(store.alias),
      after: (
        <>
          <h2>{t.more}</h2>
          <p class="actions">
            <a class="button plain" href={memberPaths.handOver(store.alias, member.userId)}>
              {t.handOver}
            </a>
            <a class="button plain" href={memberPaths.remove(store.alias, member.userId)}>
              {t.remove}
            </a>
          </p>
        </>
      ),
    };
  },
  async submit(page, { role }) {
    const member = await requireMember(page);
    if (!(await changeRole(page.action, page.store, member.userId, role))) throw notFound();
    return page.redirect(membersDonePath(page.store, 'role'));
  },
});

/** The question before an action on a member. */
function askAbout(
  { messages, store }: SignedInPage,
  member: Awaited<ReturnType<typeof requireMember>>,
  action: 'remove' | 'handOver',
) {
  const { remove, handOver } = messages.members;
  const parts = { name: <bdi>{member.name}</bdi>, store: <bdi>{store.name}</bdi> };
  const t = messages.members[action];
  const last = action === 'remove' ? remove.stays : handOver.irreversible;
  return {
    question: <Interpolate text={t.question} parts={parts} />,
    paragraphs: [
      <Interpolate text={t.consequence} parts={parts} />,
      <Interpolate text={last} parts={parts} />,
    ],
    submit: t.submit,
    back: memberPaths.details(store.alias, member.userId),
  };
}

/** `/account/stores/:alias/members/:userId/remove`. */
export const memberRemovalForm = confirmation({
  ...ofMember,
  path: memberPaths.remove(alias, userId),
  ask: (page, member) => askAbout(page, member, 'remove'),
  async submit(page) {
    const member = await requireMember(page);
    if (!(await removeMember(page.action, page.store, member.userId))) throw notFound();
    return page.redirect(membersDonePath(page.store, 'removed'));
  },
});

/** `/account/stores/:alias/members/:userId/hand-over`. */
export const handOverForm = confirmation({
  ...ofMember,
  path: memberPaths.handOver(alias, userId),
  ask: (page, member) => askAbout(page, member, 'handOver'),
  async submit(page) {
    const member = await requireMember(page);
    const isDone = await handOverStore(page.action, page.store, member.userId);
    if (isDone) return page.redirect(membersDonePath(page.store, 'handed'));
    return { errors: [{ text: page.messages.members.handOver.failed }] };
  },
});
