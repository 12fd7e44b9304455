import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { readableAddress } from '../../base/hosts.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import type { Job } from '../../data/directory/job.ts';
import type { findStoreOverview } from '../../data/directory/store-overview.ts';
import { isExportKept } from '../../stores/export/kept-exports.ts';
import { isPurgeable } from '../../stores/move/purge-move.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';

/** A store with its members. */
type Store = NonNullable<Awaited<ReturnType<typeof findStoreOverview>>>;

type Member = Store['members'][number];

/** The members of a store. */
export function MembersTable({ page, store }: { page: SignedInPage; store: Store }) {
  const { operator, members: t } = page.messages;
  const { stores, actions } = operator;
  const roles: Readonly<Record<string, string>> = t.roles.names;
  const columns = [
    {
      label: operator.users.name,
      cell: ({ user_id: id, name }: Member) => (
        <a href={operatorPaths.user(id)}>
          <bdi>{name}</bdi>
        </a>
      ),
    },
    {
      label: operator.users.email,
      cell: ({ email }: Member) => <bdi>{readableAddress(email)}</bdi>,
    },
    { label: stores.role, cell: ({ role }: Member) => roles[role] ?? role },
    {
      label: actions.removeMember.link,
      hasActions: true,
      cell: ({ user_id: id, name, role }: Member) =>
        role !== Role.owner && (
          <a class="target" href={operatorPaths.removeMember(store.id, id)}>
            {actions.removeMember.link}
            <span class="visually-hidden"> {name}</span>
          </a>
        ),
    },
  ];
  return <DataTable caption={stores.members} columns={columns} rows={store.members} />;
}

const isImmediate = ({ kind }: Job) => kind === 'immediate_erasure';

export const isErasure = (job: Job) => isImmediate(job) || job.kind === 'store_erasure';

/** Whether an erasure waits for its second operator. */
const isUnconfirmed = (job: Job) => isImmediate(job) && job.confirmed_at === null;

/** The day of an erasure that waits. */
function dayOfErasure(job: Job): number | undefined {
  const { state, due_at: at } = job;
  return state === 'waiting' && at !== null && isErasure(job) ? at : undefined;
}

/** The links to act on a job: an erasure that waits, or the old data of a move. */
function jobLinks(job: Job, { messages, user, now }: SignedInPage) {
  const { actions } = messages.operator;
  const storeId = job.store_id ?? 0;
  if (isPurgeable(job, now)) {
    return [{ href: operatorPaths.purgeMove(storeId, job.id), text: actions.purgeStoreMove.link }];
  }
  if (dayOfErasure(job) === undefined) return [];
  const path = operatorPaths.erasure(storeId, job.id);
  const confirm = { href: `${path}/confirm`, text: actions.confirmStoreErasure.link };
  const cancel = { href: `${path}/cancel`, text: actions.cancelJob.link };
  const mayConfirm = isUnconfirmed(job) && job.requested_by !== user.id;
  return mayConfirm ? [confirm, cancel] : [cancel];
}

const tones = {
  waiting: 'neutral',
  running: 'neutral',
  done: 'good',
  failed: 'danger',
  cancelled: 'neutral',
} as const;

/** The last jobs of a store. */
export function JobsTable({ page, jobs }: { page: SignedInPage; jobs: readonly Job[] }) {
  const { language } = page;
  const zone = defaultZone;
  const { stores: t, list } = page.messages.operator;
  const columns = [
    {
      label: t.job,
      cell: ({ kind, created_at: at }: Job) => (
        <>
          {t.jobKinds[kind]}
          <br />
          <FormattedTime {...{ language, zone, at }} />
        </>
      ),
    },
    {
      label: list.state,
      cell: (job: Job) => {
        const at = dayOfErasure(job);
        return (
          <>
            <StateBadge tone={tones[job.state]} text={t.jobStates[job.state]} />
            {at !== undefined && (
              <>
                <br />
                <Interpolate
                  text={isUnconfirmed(job) ? t.awaitsConfirmation : t.dueOn}
                  parts={{ date: <FormattedTime {...{ language, zone, at }} /> }}
                />
              </>
            )}
          </>
        );
      },
    },
    {
      label: t.progress,
      cell: (job: Job) => (
        <>
          {job.done} / {job.total}
          {isExportKept(job, page.now) && (
            <>
              <br />
              <a class="target" href={operatorPaths.exportFile(job.store_id ?? 0, job.id)}>
                {t.download}
              </a>
            </>
          )}
          {jobLinks(job, page).map(({ href, text }) => (
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
