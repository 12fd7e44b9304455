import type { Language } from '../../base/languages.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedDate } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

/** Why a store is inactive, and its time zone. */
type InactiveStore = Pick<
  ManagedStore,
  'closedAt' | 'closedBy' | 'closeReason' | 'lockedAt' | 'lockReason' | 'eraseAt' | 'zone'
>;

/**
 * Says why and since when a store is closed, locked or both, who opens it again, and when its data
 * are erased.
 */
export const InactiveReason = ({
  store,
  language,
}: {
  store: InactiveStore;
  language: Language;
}) => {
  const t = messagesFor(language).stores.list;
  const { closedAt, closedBy, closeReason, lockedAt, lockReason, eraseAt, zone } = store;
  const dated = (text: string, at: number) => (
    <p>
      <Interpolate text={text} parts={{ date: <FormattedDate {...{ language, zone, at }} /> }} />
    </p>
  );
  const why = (reason: string | null) =>
    reason !== null && (
      <p>
        <Interpolate text={t.reason} parts={{ reason: <bdi>{reason}</bdi> }} />
      </p>
    );
  return (
    <>
      {closedAt !== null && (
        <>
          <p>
            <StateBadge tone="danger" text={t.closed} />
          </p>
          {closedBy === 'operator' && <p>{t.closedByService}</p>}
          {why(closeReason)}
          {dated(t.since, closedAt)}
          {eraseAt !== null && dated(t.erasedOn, eraseAt)}
        </>
      )}
      {(lockedAt !== null || closedAt === null) && (
        <>
          <p>
            <StateBadge tone="warn" text={t.deactivated} />
          </p>
          <p>{closedAt === null ? t.deactivatedByService : t.staysDeactivated}</p>
          {why(lockReason)}
          {lockedAt !== null && dated(t.since, lockedAt)}
        </>
      )}
    </>
  );
};
