import { readableAddress } from '../../base/hosts.ts';
import type { Language } from '../../base/languages.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

interface MemberRow {
  name: string;
  email: string;
  role: string;
  href: string;
  removeHref: string | undefined;
}

/** The members of a store. */
export function MembersTable({
  language,
  members,
}: {
  language: Language;
  members: readonly MemberRow[];
}) {
  const { operator, members: t } = messagesFor(language);
  const { stores, actions } = operator;
  const roles: Readonly<Record<string, string>> = t.roles.names;
  const columns = [
    {
      label: operator.users.name,
      cell: ({ name, href }: MemberRow) => (
        <a href={href}>
          <bdi>{name}</bdi>
        </a>
      ),
    },
    {
      label: operator.users.email,
      cell: ({ email }: MemberRow) => <bdi>{readableAddress(email)}</bdi>,
    },
    { label: stores.role, cell: ({ role }: MemberRow) => roles[role] ?? role },
    {
      label: actions.removeMember.link,
      hasActions: true,
      cell: ({ name, removeHref }: MemberRow) =>
        removeHref !== undefined && (
          <a class="target" href={removeHref}>
            {actions.removeMember.link}
            <span class="visually-hidden"> {name}</span>
          </a>
        ),
    },
  ];
  return <DataTable caption={stores.members} columns={columns} rows={members} />;
}

interface JobRow {
  kind: keyof Messages['operator']['stores']['jobKinds'];
  state: keyof Messages['operator']['stores']['jobStates'];
  done: number;
  total: number;
  /** Epoch milliseconds. */
  at: number;
  /** The file of an export that can be downloaded. */
  fileHref: string | undefined;
  /** Of an erasure that waits: its day, and whether another operator must confirm it. */
  waiting: { at: number; isUnconfirmed: boolean } | undefined;
  /** The actions on it. */
  links: readonly { href: string; text: string }[];
}

const tones = {
  waiting: 'neutral',
  running: 'neutral',
  done: 'good',
  failed: 'danger',
  cancelled: 'neutral',
} as const;

/** The last jobs of a store; nothing without any. */
export function JobsTable({
  language,
  jobs,
  zone,
}: {
  language: Language;
  jobs: readonly JobRow[];
  zone: string;
}) {
  const { stores: t, list } = messagesFor(language).operator;
  if (jobs.length === 0) return null;
  const columns = [
    {
      label: t.job,
      cell: ({ kind, at }: JobRow) => (
        <>
          {t.jobKinds[kind]}
          <br />
          <FormattedTime {...{ language, zone, at }} />
        </>
      ),
    },
    {
      label: list.state,
      cell: ({ state, waiting }: JobRow) => (
        <>
          <StateBadge tone={tones[state]} text={t.jobStates[state]} />
          {waiting && (
            <>
              <br />
              <Interpolate
                text={waiting.isUnconfirmed ? t.awaitsConfirmation : t.dueOn}
                parts={{ date: <FormattedTime {...{ language, zone }} at={waiting.at} /> }}
              />
            </>
          )}
        </>
      ),
    },
    {
      label: t.progress,
      cell: ({ done, total, fileHref, links }: JobRow) => (
        <>
          {done} / {total}
          {fileHref !== undefined && (
            <>
              <br />
              <a class="target" href={fileHref}>
                {t.download}
              </a>
            </>
          )}
          {links.map(({ href, text }) => (
            <>
              <br />
              <a class="target" href={href}>
                {text}
              </a>
            </>
          ))}
        </>
      ),
    },
  ];
  return <DataTable caption={t.jobs} columns={columns} rows={jobs} />;
}
