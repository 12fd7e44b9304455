import * as z from 'zod';
import { removeMember } from '../../accounts/members/remove-member.ts';
import { HttpError, notFound } from '../../base/errors.ts';
import { browserPaths, memberPaths, securityPaths, storePaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { requestJob } from '../../data/directory/request-job.ts';
import { closeStore, closingMs, reopenStore, ClosedByOperator } from '../../stores/close-store.ts';
import { requireSecondFactor } from '../../stores/edit-store.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { FormattedDate } from '../../web/components/time.tsx';
import { readText } from '../../web/forms/form-values.ts';
import { confirmation } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { storeDonePath } from './show-store.tsx';

/** Only the owner may do it, after a proof of identity. */
export const ofOwner = { role: Role.owner, proof: true, limit: 'pages' } as const;

const nameOf = ({ store }: SignedInPage) => ({ store: <bdi>{store.name}</bdi> });

/**
 * Whether the owner must set up a second factor first: the rule would deny them access without one.
 */
const needsOwnFactor = ({ store, user }: SignedInPage) =>
  !store.mfa_required && !user.hasSecondFactor;

function showOwnFactorFirst(page: SignedInPage) {
  const { stores, members } = page.messages;
  const { question: title, ownFirst } = stores.factor;
  const link = { href: securityPaths.factor, text: members.roles.setUpFactor };
  return page.info({ title, paragraphs: [ownFirst], link }, { path: page.path });
}

/**
 * `/account/stores/:alias/second-factor`: requires a second factor of all members, or no longer.
 */
export const factorRuleForm = confirmation({
  ...ofOwner,
  path: storePaths.secondFactor(':alias'),
  part: 'store/stores',
  load: (page) => (needsOwnFactor(page) ? showOwnFactorFirst(page) : undefined),
  ask({ messages, store: { alias, mfa_required: isRequired } }) {
    const t = messages.stores.factor;
    const [question, consequence, submit] = isRequired
      ? [t.offQuestion, t.offConsequence, t.offSubmit]
      : [t.question, t.consequence, t.submit];
    const back = storePaths.details(alias);
    return { question, paragraphs: [consequence], submit, isDangerous: false, back };
  },
  async submit(page) {
    if (needsOwnFactor(page)) return showOwnFactorFirst(page);
    await requireSecondFactor(page.action, page.store, !page.store.mfa_required);
    return page.redirect(storeDonePath(page.store, 'factorChanged'));
  },
});

/** The question before an action that loses nothing. */
const askCalmly = (
  page: SignedInPage,
  t: Readonly<Record<'question' | 'consequence' | 'submit', string>>,
) => ({
  question: <Interpolate text={t.question} parts={nameOf(page)} />,
  paragraphs: [t.consequence],
  submit: t.submit,
  isDangerous: false,
  back: storePaths.details(page.store.alias),
});

/**
 * `/account/stores/:alias/export`: requests all data of the store. An export that is under way is
 * not begun twice.
 */
export const exportForm = confirmation({
  ...ofOwner,
  path: storePaths.export(':alias'),
  opensInactive: true,
  part: 'store/stores',
  ask: (page) => askCalmly(page, page.messages.stores.export),
  async submit(page) {
    await requestJob(page.action, { kind: 'store_export', storeId: page.store.id });
    return page.redirect(storeDonePath(page.store, 'exportAsked'));
  },
});

/** The alias of the store, which its owner types before it goes. */
export const typedAlias = ({ stores }: Messages, { store: { alias } }: SignedInPage) => {
  const error = stores.close.aliasWrong.replace('{alias}', () => alias);
  return z.object({ alias: readText((typed) => (typed.trim() === alias ? alias : { error })) });
};

/** The field of {@link typedAlias}. */
export const aliasView = ({ messages, store: { alias } }: SignedInPage) =>
  ({
    name: 'alias',
    label: messages.stores.close.alias.replace('{alias}', () => alias),
    type: 'text',
  }) as const;

/**
 * `/account/stores/:alias/close`. The owner types the alias to confirm, and can open the store
 * again for 30 days.
 */
export const closeForm = confirmation({
  ...ofOwner,
  path: storePaths.close(':alias'),
  part: 'store/stores',
  fields: typedAlias,
  ask(page) {
    const { language, now } = page;
    const { alias, zone } = page.store;
    const t = page.messages.stores.close;
    const date = <FormattedDate {...{ language, zone }} at={now + closingMs} />;
    return {
      question: <Interpolate text={t.question} parts={nameOf(page)} />,
      paragraphs: [t.consequence, <Interpolate text={t.erased} parts={{ date }} />],
      fields: [aliasView(page)],
      submit: t.submit,
      back: storePaths.details(alias),
    };
  },
  async submit(page) {
    const { reason } = page.messages.stores.close;
    await closeStore(page.action, { storeId: page.store.id, reason });
    return page.redirect(storeDonePath(page.store, 'closed'));
  },
});

/**
 * Not for a store that an operator deactivated, and only with a refusal for one that an operator
 * closed.
 */
function requireClosed(page: SignedInPage) {
  if (page.store.closedAt === null) throw notFound();
  return page.store.closedBy === 'owner' ? undefined : showClosedByService(page);
}

function showClosedByService(page: SignedInPage) {
  const t = page.messages.stores.reopen;
  const link = { href: storePaths.details(page.store.alias), text: t.toStore };
  const texts = { title: t.byServiceTitle, paragraphs: [t.byService], link };
  return page.info(texts, { status: 409, path: page.path });
}

/**
 * `/account/stores/:alias/reopen`: opens a store again that its owner closed, unless its erasure
 * has begun.
 */
export const reopenForm = confirmation({
  ...ofOwner,
  path: storePaths.reopen(':alias'),
  opensInactive: true,
  part: 'store/stores',
  load: requireClosed,
  ask: (page) => askCalmly(page, page.messages.stores.reopen),
  async submit(page) {
    const refusal = requireClosed(page);
    if (refusal) return refusal;
    try {
      await reopenStore(page.action, { storeId: page.store.id });
    } catch (error) {
      if (error instanceof ClosedByOperator) return showClosedByService(page);
      if (!(error instanceof HttpError) || error.status !== 409) throw error;
      return { errors: [{ text: page.messages.stores.reopen.tooLate }], status: 409 };
    }
    return page.redirect(storeDonePath(page.store, 'reopened'));
  },
});

/** The owner hands the store over first. */
function showOwnerStays(page: SignedInPage, status: 200 | 422) {
  const t = page.messages.members.leave;
  const link = { href: memberPaths.list(page.store.alias), text: t.toMembers };
  return page.info({ title: t.submit, paragraphs: [t.owner], link }, { status, path: page.path });
}

/** `/account/stores/:alias/leave`: ends the membership of the signed-in user. */
export const leaveForm = confirmation({
  path: storePaths.leave(':alias'),
  role: Role.viewer,
  proof: true,
  opensInactive: true,
  limit: 'pages',
  part: 'store/members',
  load: (page) => (page.store.role === Role.owner ? showOwnerStays(page, 200) : undefined),
  ask(page) {
    const t = page.messages.members.leave;
    return {
      question: <Interpolate text={t.question} parts={nameOf(page)} />,
      paragraphs: [t.consequence, t.again],
      submit: t.submit,
      back: memberPaths.list(page.store.alias),
    };
  },
  async submit(page) {
    const isGone = await removeMember(page.action, page.store, page.user.id, { isLeaving: true });
    if (!isGone) return showOwnerStays(page, 422);
    return page.redirect(`${browserPaths.account}?done=left`);
  },
});
