import type { Language } from '../../base/languages.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { ActivityChanges, hasText } from './activity-changes.tsx';
import { ActivityFilter, type ActivityFilterProps } from './activity-filter.tsx';

type ActorKind = keyof Messages['activity']['actors'];

/** An action on a store. */
export interface ActivityEntry {
  /** Epoch milliseconds. */
  at: number;
  actor: { kind: ActorKind; name: string; href?: string };
  action: string;
  /** The name of the target, as users know it; and the page about it. */
  target: { name: string; href: string | undefined };
  reason: string | null;
  changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  from: { country: string | null; network: string | null };
}

interface ActivityPageProps {
  dashboard: DashboardProps;
  zone: string;
  entries: readonly ActivityEntry[];
  /** About what it is, unless it is a store. */
  lead?: string;
  /** The partners whose activity the reader may choose. */
  teams?: readonly { name: string; href: string; isCurrent: boolean }[];
  filter?: ActivityFilterProps;
  /** The name of the actor if only their entries are shown. */
  onlyActor?: string | undefined;
  /** Whether the filter omits any entry. */
  isFiltered?: boolean;
  allHref?: string;
  /** The next page, older entries; and the first one, unless it is this. */
  olderHref: string | undefined;
  newestHref: string | undefined;
}

/** The changes of a store, with their actors, newest first. */
export const ActivityPage = ({ dashboard, zone, entries, ...props }: ActivityPageProps) => {
  const { language } = dashboard.layout;
  const t = messagesFor(language).activity;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <p>{props.lead ?? t.lead}</p>
      {props.teams && props.teams.length > 0 && (
        <ul class="links">
          {props.teams.map(({ name, href, isCurrent }) => (
            <li>
              <a href={href} aria-current={isCurrent ? 'page' : undefined}>
                <UntrustedName name={name} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {props.filter && <ActivityFilter {...props.filter} t={t} />}
      {props.onlyActor !== undefined && (
        <p>
          <Interpolate text={t.onlyActor} parts={{ name: <bdi>{props.onlyActor}</bdi> }} />
        </p>
      )}
      {props.isFiltered && (
        <p>
          <a href={props.allHref}>{t.showAll}</a>
        </p>
      )}
      {entries.length > 0 ? (
        <DataTable caption={t.caption} columns={columns(language, zone)} rows={entries} />
      ) : (
        <EmptyState text={emptyText(t, props)} />
      )}
      <nav class="actions" aria-label={t.caption}>
        {props.newestHref !== undefined && (
          <a class="button plain" href={props.newestHref}>
            {t.newest}
          </a>
        )}
        {props.olderHref !== undefined && (
          <a class="button plain" href={props.olderHref} rel="next">
            {t.older}
          </a>
        )}
      </nav>
    </DashboardLayout>
  );
};

function emptyText(
  t: Messages['activity'],
  { isFiltered = false, olderHref }: Pick<ActivityPageProps, 'isFiltered' | 'olderHref'>,
) {
  if (!isFiltered) return t.none;
  return olderHref === undefined ? t.noneFiltered : t.noneFilteredYet;
}

function columns(language: Language, zone: string) {
  const messages = messagesFor(language);
  const t = messages.activity;
  return [
    {
      label: t.when,
      cell: ({ at }: ActivityEntry) => <FormattedTime {...{ language, zone, at }} />,
    },
    { label: t.who, cell: ({ actor }: ActivityEntry) => <Actor {...{ actor, t }} /> },
    { label: t.what, cell: (entry: ActivityEntry) => <Action {...{ entry, messages }} /> },
    { label: t.where, cell: ({ from }: ActivityEntry) => <Place {...{ from, language }} /> },
  ];
}

const Actor = ({
  actor: { kind, name, href },
  t,
}: {
  actor: ActivityEntry['actor'];
  t: Messages['activity'];
}) =>
  kind === 'system' ? (
    <>{t.actors.system}</>
  ) : (
    <>
      {href === undefined ? (
        <bdi>{name}</bdi>
      ) : (
        <a href={href}>
          <bdi>{name}</bdi>
        </a>
      )}
      {(kind === 'api_key' || kind === 'app') && (
        <>
          <br />
          <span class="muted">{t.as[kind]}</span>
        </>
      )}
    </>
  );

/** The action, with its reason and changes. */
const Action = ({ entry, messages }: { entry: ActivityEntry; messages: Messages }) => {
  const t = messages.activity;
  const { action, target, reason, changes } = entry;
  const name = <bdi>{target.name}</bdi>;
  const shown = target.href === undefined ? name : <a href={target.href}>{name}</a>;
  return (
    <>
      {hasText(t.actions, action) ? (
        <Interpolate text={t.actions[action]} parts={{ target: shown }} />
      ) : (
        <code>{action}</code>
      )}
      {reason !== null && (
        <>
          <br />
          <Interpolate
            text={t.reason}
            parts={{ reason: <bdi>{hasText(t.reasons, reason) ? t.reasons[reason] : reason}</bdi> }}
          />
        </>
      )}
      <ActivityChanges {...{ changes, messages }} />
    </>
  );
};

const Place = ({
  from: { country, network },
  language,
}: {
  from: ActivityEntry['from'];
  language: Language;
}) => {
  if (country === null && network === null) return <>–</>;
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  return (
    <>
      {country !== null && names.of(country)}
      {country !== null && network !== null && <br />}
      {network !== null && <code>{network}</code>}
    </>
  );
};
