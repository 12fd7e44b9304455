import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

interface DeviceView {
  /** The device in words. */
  name: string;
  isHere: boolean;
  /** Name of the country; `undefined` if unknown. */
  country: string | undefined;
  /** Epoch milliseconds. */
  startedAt: number;
  seenAt: number;
  endHref: string;
}

interface SessionsPageProps {
  dashboard: DashboardProps;
  devices: readonly DeviceView[];
  zone: string;
  done?: 'one' | 'others' | undefined;
  endOthersHref: string;
}

/** The devices on which a user is signed in. */
export const SessionsPage = ({ dashboard, devices, zone, ...props }: SessionsPageProps) => {
  const { language } = dashboard.layout;
  const t = messagesFor(language).security.sessions;
  const flash = props.done && (props.done === 'one' ? t.ended : t.endedOthers);
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={flash} />
      <p class="measure">{t.lead}</p>
      <DataTable
        caption={t.caption}
        rows={devices}
        columns={[
          { label: t.device, cell: ({ name }) => <bdi>{name}</bdi> },
          { label: t.country, cell: ({ country }) => country ?? t.unknownCountry },
          {
            label: t.since,
            cell: ({ startedAt }) => <FormattedTime {...{ language, zone }} at={startedAt} />,
          },
          {
            label: t.seen,
            cell: ({ seenAt }) => <FormattedTime {...{ language, zone }} at={seenAt} />,
          },
          {
            label: t.action,
            cell: ({ isHere, name, endHref }) =>
              isHere ? (
                <StateBadge tone="good" text={t.here} />
              ) : (
                <a href={endHref} aria-label={t.endDevice.replace('{device}', () => name)}>
                  {t.end}
                </a>
              ),
          },
        ]}
      />
      <p class="muted">{t.seenHint}</p>
      {devices.length > 1 && (
        <p class="actions">
          <a class="button danger" href={props.endOthersHref}>
            {t.endOthers}
          </a>
        </p>
      )}
    </DashboardLayout>
  );
};
