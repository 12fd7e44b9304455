import type { Language } from '../../base/languages.ts';
import { changesOf, withoutAddresses, type AuditRow } from '../../data/audit/window.ts';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { Part, SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';

/** How the entries of a page name what was changed. */
interface EntryFormat {
  /** The name of the target, as users know it; and the page about it. */
  targetOf: (row: AuditRow) => { name: string; href: string | undefined };
  /** The entries of an actor only. */
  actorHref?: (row: AuditRow) => string;
  /** Whether the reader sees the addresses of people in changes; they do by default. */
  hidesAddresses?: boolean;
}

interface ActivityPageProps extends EntryFormat {
  page: SignedInPage;
  part: Part;
  zone: string;
  rows: readonly AuditRow[];
  /** About what it is, the name of its table and the text of an empty one, unless it is a store. */
  lead?: string;
  caption?: string;
  none?: string;
  /** The partners whose activity the reader may choose. */
  teams?: readonly { name: string; href: string; isCurrent: boolean }[];
  filter?: ActivityFilterProps;
  /** The name of the actor if only their entries are shown. */
  onlyActor?: string | undefined;
  /** Instead of the usual text for a filter that nothing matches. */
  noneFiltered?: string | undefined;
  /** Whether the filter omits any entry. */
  isFiltered?: boolean;
  allHref?: string;
  /** The next page, older entries; and the first one, unless it is this. */
  olderHref: string | undefined;
  newestHref: string | undefined;
}

/** The changes of a store, with their actors, newest first. */
export const ActivityPage = ({ page, part, rows, ...props }: ActivityPageProps) => {
  const t = page.messages.activity;
  const { caption = t.caption } = props;
  return (
    <DashboardLayout {...page.dashboard(part)} title={t.title}>
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
      {rows.length > 0 ? (
        <DataTable caption={caption} columns={columns(page, props)} rows={rows} />
      ) : (
        <EmptyState text={emptyText(t, props)} />
      )}
      <nav class="actions" aria-label={caption}>
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
  {
    isFiltered = false,
    olderHref,
    none = t.none,
    noneFiltered = t.noneFiltered,
  }: Pick<ActivityPageProps, 'isFiltered' | 'olderHref' | 'none' | 'noneFiltered'>,
) {
  if (!isFiltered) return none;
  return olderHref === undefined ? noneFiltered : t.noneFilteredYet;
}

/** The name of an actor. The activity of a store or a partner names no operators. */
export const actorName = (
  { actor_kind: kind, actor_name: name }: AuditRow,
  { messages }: SignedInPage,
) => (kind === 'operator' ? messages.activity.service : name);

function columns(page: SignedInPage, { zone, ...format }: EntryFormat & { zone: string }) {
  const { language } = page;
  const t = page.messages.activity;
  return [
    { label: t.when, cell: ({ at }: AuditRow) => <FormattedTime {...{ language, zone, at }} /> },
    { label: t.who, cell: (row: AuditRow) => <Actor {...{ page, row, format }} /> },
    { label: t.what, cell: (row: AuditRow) => <Action {...{ page, row, format }} /> },
    { label: t.where, cell: (row: AuditRow) => <Origin {...{ language, row }} /> },
  ];
}

interface EntryCell {
  page: SignedInPage;
  row: AuditRow;
  format: EntryFormat;
}

/** Who did it. The kind is in words, and what the service did in a mark, as no name can be. */
const Actor = ({ page, row, format: { actorHref } }: EntryCell) => {
  const t = page.messages.activity;
  const { actor_kind: kind } = row;
  const name = <bdi>{actorName(row, page)}</bdi>;
  if (kind === 'system') return <span class="tag">{t.actors.system}</span>;
  return (
    <>
      {actorHref ? <a href={actorHref(row)}>{name}</a> : name}
      <br />
      {kind === 'operator' ? (
        <span class="tag">{t.actors.operator}</span>
      ) : (
        <span class="muted">{t.as[kind]}</span>
      )}
    </>
  );
};

/** The action, with its reason and changes. */
const Action = ({ page: { messages }, row, format }: EntryCell) => {
  const t = messages.activity;
  const { action, reason } = row;
  const target = format.targetOf(row);
  const all = changesOf(row);
  const changes = format.hidesAddresses ? withoutAddresses(all) : all;
  const text = actionText(action, t);
  const name = <bdi>{target.name}</bdi>;
  const shown = target.href === undefined ? name : <a href={target.href}>{name}</a>;
  return (
    <>
      {text === undefined ? (
        <code>{action}</code>
      ) : (
        <Interpolate text={text} parts={{ target: shown }} />
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

/**
 * The sentence of an action. That of an assistant is the id of an operation: a verb, and what it
 * changes.
 */
function actionText(action: string, { actions, assistant }: Messages['activity']) {
  if (hasText(actions, action)) return actions[action];
  const [, verb = '', what = ''] = /^([a-z]+)([A-Z]\w*)$/.exec(action) ?? [];
  if (!hasText(assistant.records, what)) return undefined;
  const { verbs, records } = assistant;
  return `${hasText(verbs, verb) ? verbs[verb] : verbs.update} ${records[what]}`;
}

const Origin = ({ row: { country, network }, language }: { row: AuditRow; language: Language }) => {
  if (country === null && network === null) return <>–</>;
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  return (
    <>
      {country !== null && names.of(country)}
      {country !== null && network !== null && <br />}
      {network !== null && <code class="network">{network}</code>}
    </>
  );
};

/** Whether there is a text for a name that the database stores. */
const hasText = <Name extends string>(
  texts: Readonly<Record<Name, string>>,
  name: string,
): name is Name => Object.hasOwn(texts, name);

/** Fields that the sentence of the entry already contains. */
const hiddenFields: ReadonlySet<string> = new Set(['owner_id', 'job']);

/** The changes: before and after, by field. Of a secret, only that it changed. */
const ActivityChanges = ({
  changes,
  messages,
}: {
  changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  messages: Messages;
}) => {
  const t = messages.activity;
  const fields = Object.entries(changes).filter(([name]) => !hiddenFields.has(name));
  if (fields.length === 0) return null;
  return (
    <ul class="lines muted">
      {fields.map(([name, [before, after]]) => {
        const field = hasText(t.fields, name) ? t.fields[name] : <code>{name}</code>;
        const isHidden = before === null && after === 'changed';
        return (
          <li>
            {isHidden ? (
              <Interpolate text={t.changed} parts={{ field }} />
            ) : (
              <Interpolate
                text={t.change}
                parts={{
                  field,
                  before: valueText(before, messages),
                  after: valueText(after, messages),
                }}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
};

const maxCharacters = 120;

function valueText(value: unknown, messages: Messages) {
  const t = messages.activity;
  const roles = messages.members.roles.names;
  if (value === null || value === '') return t.nothing;
  if (typeof value === 'string' && hasText(roles, value)) return roles[value];
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  const text =
    typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : Array.isArray(value)
        ? value.join(', ')
        : JSON.stringify(value);
  const characters = Array.from(text);
  const isCut = characters.length > maxCharacters;
  return <bdi>{isCut ? `${characters.slice(0, maxCharacters).join('')}…` : text}</bdi>;
}

interface ActivityFilterProps {
  action: string;
  kind: string | undefined;
  actorKind: string | undefined;
}

/** Chooses the actor and the target of the entries that the page shows. */
const ActivityFilter = ({
  action,
  kind,
  actorKind,
  t,
}: ActivityFilterProps & { t: Messages['activity'] }) => (
  <form method="get" action={action} class="filter">
    <Select
      name="actor_kind"
      label={t.actorKind}
      any={t.anyone}
      texts={t.actors}
      chosen={actorKind}
    />
    <Select name="kind" label={t.kind} any={t.any} texts={t.kinds} chosen={kind} />
    <button class="plain">{t.filter}</button>
  </form>
);

const Select = ({
  name,
  label,
  any,
  texts,
  chosen,
}: {
  name: string;
  label: string;
  any: string;
  texts: Readonly<Record<string, string>>;
  chosen: string | undefined;
}) => (
  <div>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      <option value="">{any}</option>
      {Object.entries(texts).map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </div>
);
