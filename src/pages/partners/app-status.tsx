import { defaultZone } from '../../base/codecs/fields/zone.ts';
import type { listAppEvents } from '../../oauth/installed-apps.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messageOrOther } from '../../web/texts/messages.ts';

type AppStateName = keyof Messages['partners']['states'];

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

/** The latest security events of an app. */
export const AppEventTable = ({
  page: { language, messages },
  events,
}: {
  page: SignedInPage;
  events: Awaited<ReturnType<typeof listAppEvents>>;
}) => {
  const { app: t, kinds } = messages.partners;
  if (events.length === 0) return <p>{t.noEvents}</p>;
  return (
    <DataTable
      caption={t.eventsCaption}
      rows={events}
      columns={[
        { label: t.event, cell: ({ kind }) => messageOrOther(kinds, kind) },
        { label: t.merchant, cell: ({ storeAlias }) => storeAlias ?? '–' },
        {
          label: t.at,
          cell: ({ at }) => <FormattedTime {...{ language, at }} zone={defaultZone} />,
        },
      ]}
    />
  );
};
