import type { Language } from '../../base/languages.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedDate } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

interface InactiveReasonProps {
  reason: string | null;
  /** Epoch milliseconds. */
  since: number | null;
  /** When the data of a closed store are erased. */
  eraseAt: number | null;
  language: Language;
  zone: string;
}

/** Says why and since when a store is inactive, and when its data are erased. */
export const InactiveReason = ({ reason, since, eraseAt, language, zone }: InactiveReasonProps) => {
  const t = messagesFor(language).stores.list;
  return (
    <>
      <p>
        <StateBadge
          tone={eraseAt === null ? 'warn' : 'danger'}
          text={eraseAt === null ? t.deactivated : t.closed}
        />
      </p>
      {reason !== null && (
        <p>
          <Interpolate text={t.reason} parts={{ reason: <bdi>{reason}</bdi> }} />
        </p>
      )}
      {since !== null && (
        <p>
          <Interpolate
            text={t.since}
            parts={{ date: <FormattedDate {...{ language, zone }} at={since} /> }}
          />
        </p>
      )}
      {eraseAt !== null && (
        <p>
          <Interpolate
            text={t.erasedOn}
            parts={{ date: <FormattedDate {...{ language, zone }} at={eraseAt} /> }}
          />
        </p>
      )}
    </>
  );
};
