import { defaultZone } from '../base/codecs/fields/zone.ts';
import { notFound } from '../base/errors.ts';
import { apiKeyPaths, appPaths, browserPaths, guidePath } from '../base/page-paths.ts';
import { findOwnApiKey } from '../data/directory/api-keys.ts';
import { listRequests, loggedCaller, shownRequests } from '../data/directory/request-log.ts';
import { DashboardLayout } from '../web/components/dashboard-layout.tsx';
import { DataTable } from '../web/components/data-table.tsx';
import { EmptyState } from '../web/components/empty-state.tsx';
import { Interpolate, UntrustedName } from '../web/components/inline-text.tsx';
import { StateBadge } from '../web/components/state-badge.tsx';
import { FormattedTime } from '../web/components/time.tsx';
import type { SignedInPage } from '../web/page.ts';
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

/** The latest requests of an app or of an API key. */
async function showRequests(page: SignedInPage, { part, name, caller, path, back }: LogOf) {
  const operation = page.query('operation')?.trim() ?? '';
  const status = /^[1-5](?:\d\d|xx)?$/i.exec(page.query('status')?.trim() ?? '')?.[0] ?? '';
  const before = /^\d{1,15}$/.exec(page.query('before') ?? '')?.[0];
  const filter = {
    operation: operation || undefined,
    status: status === '' ? undefined : Number(status.replace(/xx$/i, '')),
    before: before === undefined ? undefined : Number(before),
  };
  const isFiltered = operation !== '' || status !== '';
  const found = await listRequests(page.directory, caller, filter, page.now);
  const requests = found.slice(0, shownRequests);
  const last = requests.at(-1);
  const query = new URLSearchParams({ operation, status, before: String(last?.id ?? '') });
  const { language, messages } = page;
  const { requests: t } = messages.partnerTools;
  return (
    <DashboardLayout {...page.dashboard(part)} title={t.open}>
      <h1>
        <Interpolate text={t.title} parts={{ name: <UntrustedName name={name} /> }} />
      </h1>
      <p>{t.lead}</p>
      <form method="get" action={path} class="filter">
        <div>
          <label for="operation">{t.columns.operation}</label>
          <input id="operation" name="operation" autocomplete="off" value={operation} />
        </div>
        <div>
          <label for="status">{t.status}</label>
          <input
            id="status"
            name="status"
            autocomplete="off"
            placeholder={t.statusHint}
            value={status}
          />
        </div>
        <button class="plain">{t.filter}</button>
      </form>
      {isFiltered && (
        <p>
          <a href={path}>{messages.activity.showAll}</a>
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
              cell: (request) => (
                <>
                  <span lang="en">{inWords(request.operation)}</span> <code>{request.method}</code>
                </>
              ),
            },
            {
              label: t.columns.status,
              isClear: true,
              cell: ({ status: number, code }) => (
                <>
                  <StateBadge tone={toneOf(number)} text={String(number)} />{' '}
                  {code !== '' && (
                    <a href={`${guidePath(language, 'errors')}#${code}`}>
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
              cell: ({ request_id: id, sent, operation: called, one_in: oneIn }) => (
                <details>
                  <summary>
                    {oneIn > 1
                      ? t.oneIn.replace('{count}', oneIn.toLocaleString(language))
                      : t.columns.details}
                  </summary>
                  <dl>
                    {[
                      ['operationId', called],
                      [t.columns.sent, sent],
                      ['X-Request-Id', id],
                    ].map(
                      ([label, value]) =>
                        value !== '' && (
                          <>
                            <dt class="muted">{label}</dt>
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
        {found.length > shownRequests && (
          <a class="button plain" href={`${path}?${query.toString()}`} rel="next">
            {t.older}
          </a>
        )}
      </p>
    </DashboardLayout>
  );
}

/** Writes the id of an operation as words: `listBrands` as "List brands". */
function inWords(operation: string): string {
  const words = operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words === '' ? '–' : words.charAt(0).toUpperCase() + words.slice(1);
}

const toneOf = (status: number) => (status < 400 ? 'good' : status < 500 ? 'warn' : 'danger');
