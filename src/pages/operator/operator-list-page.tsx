import type { Child } from 'hono/jsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

interface ListPageProps<Row> {
  dashboard: DashboardProps;
  title: string;
  caption: string;
  columns: readonly { label: string; cell: (row: Row) => Child }[];
  rows: readonly Row[];
  /** Absent for a list without a filter. */
  filter?: {
    action: string;
    search: string;
    searchLabel: string;
    state: string;
    states: Readonly<Record<string, string>>;
  };
  create?: { href: string; text: string };
  lead?: string;
  /** Whether an action has just been done. */
  isDone?: boolean;
  /** The text of an empty list. */
  none?: string;
  newestHref: string | undefined;
  olderHref: string | undefined;
}

/** A list of operators with its search, newest first. */
export function ListPage<Row>({
  dashboard,
  title,
  lead,
  filter,
  create,
  isDone = false,
  ...list
}: ListPageProps<Row>) {
  const { list: t, done } = messagesFor(dashboard.layout.language).operator;
  const { rows, columns, caption, newestHref, olderHref } = list;
  return (
    <DashboardLayout {...dashboard} title={title}>
      <h1>{title}</h1>
      <FlashMessage text={isDone ? done : undefined} />
      {lead !== undefined && <p>{lead}</p>}
      {create && (
        <p class="actions">
          <a class="button" href={create.href}>
            {create.text}
          </a>
        </p>
      )}
      {filter && (
        <form method="get" action={filter.action} class="filter">
          <div>
            <label for="search">{filter.searchLabel}</label>
            <input
              id="search"
              name="search"
              type="search"
              autocomplete="off"
              value={filter.search}
            />
          </div>
          <div>
            <label for="state">{t.state}</label>
            <select id="state" name="state">
              <option value="">{t.any}</option>
              {Object.entries(filter.states).map(([value, text]) => (
                <option value={value} selected={value === filter.state}>
                  {text}
                </option>
              ))}
            </select>
          </div>
          <button class="plain">{t.filter}</button>
        </form>
      )}
      {rows.length > 0 ? (
        <DataTable {...{ caption, columns, rows }} />
      ) : (
        <EmptyState text={olderHref === undefined ? (list.none ?? t.none) : t.noneYet} />
      )}
      <nav class="actions" aria-label={caption}>
        {newestHref !== undefined && (
          <a class="button plain" href={newestHref}>
            {t.newest}
          </a>
        )}
        {olderHref !== undefined && (
          <a class="button plain" href={olderHref} rel="next">
            {t.older}
          </a>
        )}
      </nav>
    </DashboardLayout>
  );
}
