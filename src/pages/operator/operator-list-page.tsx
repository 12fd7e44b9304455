import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable, type TableColumn } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import type { Part, SignedInPage } from '../../web/page.ts';
import { pageLinks } from './list-query.ts';

interface ListPageProps<Row> {
  page: SignedInPage;
  part: Part;
  texts: {
    title: string;
    caption: string;
    lead?: string;
    /** Of an empty list. */
    none?: string;
    /** Of a list with a filter, as are `states`. */
    searchLabel?: string;
    states?: Readonly<Record<string, string>>;
    create?: string;
  };
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  /** Absent for a list without a filter. */
  filter?: { action: string; search: string; state: string };
  /** The address of the form that adds a record. */
  createHref?: string;
  /** The outcome of the last form. */
  done?: string | undefined;
  /** Where the next page begins. */
  next: number | string | null;
}

/** A list of operators with its search, newest first. */
export function ListPage<Row>({
  page,
  part,
  texts: { title, caption, lead, none, searchLabel, states = {}, create },
  filter,
  createHref,
  done,
  rows,
  columns,
  next,
}: ListPageProps<Row>) {
  const { list: t } = page.messages.operator;
  const { newestHref, olderHref } = pageLinks(page, next);
  return (
    <DashboardLayout {...page.dashboard(part)} title={title}>
      <h1>{title}</h1>
      <FlashMessage text={done} />
      {lead !== undefined && <p>{lead}</p>}
      {createHref !== undefined && (
        <p class="actions">
          <a class="button" href={createHref}>
            {create}
          </a>
        </p>
      )}
      {filter && (
        <form method="get" action={filter.action} class="filter">
          <div>
            <label for="search">{searchLabel}</label>
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
              {Object.entries(states).map(([value, text]) => (
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
        <EmptyState text={olderHref === undefined ? (none ?? t.none) : t.noneYet} />
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
