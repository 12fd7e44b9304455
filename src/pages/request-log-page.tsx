import { defaultZone } from '../base/codecs/fields/zone.ts';
import { notFound } from '../base/errors.ts';
import { apiKeyPaths, appPaths, browserPaths, guidePath } from '../base/page-paths.ts';
import { findOwnApiKey } from '../data/directory/api-keys.ts';
import {
  listRequests,
  loggedCaller,
  shownRequests,
  type LoggedRequest,
} from '../data/directory/request-log.ts';
import { DashboardLayout, type DashboardProps } from '../web/components/dashboard-layout.tsx';
import { DataTable } from '../web/components/data-table.tsx';
import { EmptyState } from '../web/components/empty-state.tsx';
import { Interpolate, UntrustedName } from '../web/components/inline-text.tsx';
import { StateBadge } from '../web/components/state-badge.tsx';
import { FormattedTime } from '../web/components/time.tsx';
import type { SignedInPage } from '../web/page.ts';
import { messagesFor } from '../web/texts/messages.ts';
import { requireOwnApp } from './partners/partner-apps.tsx';

/** `GET /partners/{client id}/requests`: the latest requests of an app. */
export async function showAppRequests(page: SignedInPage) {
  const { client_id: clientId, name } = await requireOwnApp(page);
  return showRequests(page, {
    part: 'partners/apps',
    name,
    caller: loggedCaller.app(clientId),
    path: appPaths.requests(clientId),
    back: appPaths.app(clientId),
  });
}

/** `GET /account/keys/{id}/requests`: the latest requests of an API key of the user. */
export async function showKeyRequests(page: SignedInPage) {
  const apiKey = await findOwnApiKey(page.directory, page.user.id, page.id('id'));
  if (!apiKey) throw notFound();
  return showRequests(page, {
    part: 'keys',
    name: apiKey.name,
    caller: loggedCaller.apiKey(apiKey.id),
    path: apiKeyPaths.requests(apiKey.id),
    back: browserPaths.keys,
  });
}

interface LogOf {
  part: Parameters<SignedInPage['dashboard']>[0];
  /** The name of the app or of the key. */
  name: string;
  caller: string;
  path: string;
  back: string;
}

async function showRequests(page: SignedInPage, { part, name, caller, path, back }: LogOf) {
  const operation = page.query('operation')?.trim() ?? '';
  const status = /^[1-5](?:\d\d|xx)?$/i.exec(page.query('status')?.trim() ?? '')?.[0] ?? '';
  const before = /^\d{1,15}$/.exec(page.query('before') ?? '')?.[0];
  const filter = {
    operation: operation || undefined,
    status: status === '' ? undefined : Number(status.replace(/xx$/i, '')),
    before: before === undefined ? undefined : Number(before),
  };
  const found = await listRequests(page.directory, caller, filter, page.now);
  const requests = found.slice(0, shownRequests);
  const last = requests.at(-1);
  const query = new URLSearchParams({ operation, status, before: String(last?.id ?? '') });
  return (
    <RequestLogPage
      dashboard={page.dashboard(part)}
      name={name}
      requests={requests}
      filter={{ action: path, operation, status }}
      codeHref={(code) => `${guidePath(page.language, 'errors')}#${code}`}
      back={back}
      olderHref={found.length > shownRequests ? `${path}?${query.toString()}` : undefined}
    />
  );
}

/** Writes the id of an operation as words: `listBrands` as "List brands". */
function inWords(operation: string): string {
  const words = operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words === '' ? '–' : words.charAt(0).toUpperCase() + words.slice(1);
}

const toneOf = (status: number) => (status < 400 ? 'good' : status < 500 ? 'warn' : 'danger');

interface RequestLogPageProps {
  dashboard: DashboardProps;
  name: string;
  requests: readonly LoggedRequest[];
  filter: { action: string; operation: string; status: string };
  /** Where a code is explained. */
  codeHref: (code: string) => string;
  back: string;
  olderHref: string | undefined;
}

/** The latest requests of an app or of an API key. */
const RequestLogPage = ({ dashboard, name, requests, filter, ...props }: RequestLogPageProps) => {
  const { language } = dashboard.layout;
  const { activity, partnerTools } = messagesFor(language);
  const { requests: t } = partnerTools;
  const isFiltered = filter.operation !== '' || filter.status !== '';
  const { codeHref, back, olderHref } = props;
  return (
    <DashboardLayout {...dashboard} title={t.open}>
      <h1>
        <Interpolate text={t.title} parts={{ name: <UntrustedName name={name} /> }} />
      </h1>
      <p>{t.lead}</p>
      <form method="get" action={filter.action} class="filter">
        <div>
          <label for="operation">{t.columns.operation}</label>
          <input id="operation" name="operation" autocomplete="off" value={filter.operation} />
        </div>
        <div>
          <label for="status">{t.status}</label>
          <input
            id="status"
            name="status"
            autocomplete="off"
            placeholder={t.statusHint}
            value={filter.status}
          />
        </div>
        <button class="plain">{t.filter}</button>
      </form>
      {isFiltered && (
        <p>
          <a href={filter.action}>{activity.showAll}</a>
        </p>
      )}
      {requests.length === 0 ? (
        <EmptyState text={isFiltered ? t.noneSuch : t.none} />
      ) : (
        <DataTable
          caption={t.caption}
          rows={requests}
          columns={[
            {
              label: t.columns.at,
              cell: ({ at }) => <FormattedTime {...{ language, zone: defaultZone, at }} />,
            },
            {
              label: t.columns.operation,
              isClear: true,
              cell: ({ method, operation }) => (
                <>
                  <span lang="en">{inWords(operation)}</span> <code>{method}</code>
                </>
              ),
            },
            {
              label: t.columns.status,
              isClear: true,
              cell: ({ status, code }) => (
                <>
                  <StateBadge tone={toneOf(status)} text={String(status)} />{' '}
                  {code !== '' && (
                    <a href={codeHref(code)}>
                      <code>{code}</code>
                    </a>
                  )}
                </>
              ),
            },
            {
              label: t.columns.took,
              isClear: true,
              cell: ({ ms }) => `${ms.toLocaleString(language)}\u00A0ms`,
            },
            {
              label: t.columns.details,
              hasActions: true,
              cell: ({ request_id: id, sent, operation, one_in: oneIn }) => (
                <details>
                  <summary>
                    {oneIn > 1
                      ? t.oneIn.replace('{count}', oneIn.toLocaleString(language))
                      : t.columns.details}
                  </summary>
                  <dl>
                    {[
                      ['operationId', operation],
                      [t.columns.sent, sent],
                      ['X-Request-Id', id],
                    ].map(
                      ([name, value]) =>
                        value !== '' && (
                          <>
                            <dt class="muted">{name}</dt>
                            <dd>
                              <code>{value}</code>
                            </dd>
                          </>
                        ),
                    )}
                  </dl>
                </details>
              ),
            },
          ]}
        />
      )}
      <p class="actions">
        <a class="button plain" href={back}>
          {t.back}
        </a>
        {olderHref !== undefined && (
          <a class="button plain" href={olderHref} rel="next">
            {t.older}
          </a>
        )}
      </p>
    </DashboardLayout>
  );
};
