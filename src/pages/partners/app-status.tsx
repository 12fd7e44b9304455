import type { Language } from '../../base/languages.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messageOrOther, messagesFor } from '../../web/texts/messages.ts';

export type AppStateName = keyof Messages['partners']['states'];

const tones: Readonly<Record<AppStateName, Tone>> = {
  draft: 'neutral',
  published: 'good',
  disabled: 'danger',
};

export const AppStateLabel = ({
  state,
  messages,
}: {
  state: AppStateName;
  messages: Messages['partners'];
}) => <StateBadge tone={tones[state]} text={messages.states[state]} />;

/** A security event of a connection of an app. */
export interface AppEventView {
  kind: string;
  /** Alias of the store; `null` if it is no longer known. */
  storeAlias: string | null;
  /** Epoch milliseconds. */
  at: number;
}

/** The latest security events of an app. */
export const AppEventTable = ({
  events,
  language,
  zone,
}: {
  events: readonly AppEventView[];
  language: Language;
  zone: string;
}) => {
  const { app: t, kinds } = messagesFor(language).partners;
  if (events.length === 0) return <p>{t.noEvents}</p>;
  return (
    <DataTable
      caption={t.eventsCaption}
      rows={events}
      columns={[
        { label: t.event, cell: ({ kind }) => messageOrOther(kinds, kind) },
        { label: t.merchant, cell: ({ storeAlias }) => storeAlias ?? '–' },
        { label: t.at, cell: ({ at }) => <FormattedTime {...{ language, zone, at }} /> },
      ]}
    />
  );
};
