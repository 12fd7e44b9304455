import { StateBadge } from '../components/state-badge.tsx';
import { Interpolate } from '../components/text.tsx';
import { FormattedDate } from '../components/time.tsx';
import type { Language } from '../i18n/languages.ts';
import { messagesFor } from '../i18n/messages.ts';

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
