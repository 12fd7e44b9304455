import type { Context } from 'hono';
import { defaultZone } from '../codecs/time/zone.ts';
import { formatPlace, parsePlace, type AuditRow } from '../db/audit/window.ts';
import { openDatabase } from '../db/core/open.ts';
import { listOperatorAudit } from '../db/directory/activity.ts';
import type { AppEnv } from '../http/app-env.ts';
import { Interpolate } from '../pages/components/text.tsx';
import { FormattedTime } from '../pages/components/time.tsx';
import { messagesFor } from '../pages/i18n/messages.ts';
import { ListPage } from '../pages/operator/list-page.tsx';
import { renderPage } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { buildOperatorProps, pageLinks } from './dashboard.ts';
import { operatorPaths } from './paths.ts';

const pageSize = 50;

/** `GET /operator/activity`: what operators did, newest first. */
export async function showOperatorActivity(c: Context<AppEnv>, context: PageContext) {
  const after = parsePlace(c.req.query('cursor') ?? '');
  const query = { limit: pageSize, ...(after && { after }) };
  const { rows, next } = await listOperatorAudit(openDatabase(c.env.DIRECTORY), query);
  const dashboard = buildOperatorProps(c, context, 'activity', operatorPaths.activity);
  const { language } = dashboard.layout;
  const { operator, activity } = messagesFor(language);
  const t = operator.activity;
  const actions: Readonly<Record<string, string>> = { ...activity.actions, ...t.actions };
  const columns = [
    {
      label: activity.when,
      cell: ({ at }: AuditRow) => <FormattedTime {...{ language, at }} zone={defaultZone} />,
    },
    { label: activity.who, cell: ({ actor_name: name }: AuditRow) => <bdi>{name}</bdi> },
    {
      label: t.what,
      cell: ({ action, reason, target_name: name }: AuditRow) => (
        <>
          <Deed {...{ action, name, actions }} />
          {reason !== null && (
            <>
              <br />
              <Interpolate text={activity.reason} parts={{ reason: <bdi>{reason}</bdi> }} />
            </>
          )}
        </>
      ),
    },
    { label: t.about, cell: (row: AuditRow) => <TargetLink {...row} /> },
    {
      label: activity.where,
      cell: ({ country, network }: AuditRow) =>
        [country, network].filter(Boolean).join(' ') || activity.unknownPlace,
    },
  ];
  const page = (
    <ListPage
      {...{ dashboard, columns, rows }}
      title={t.title}
      lead={t.lead}
      caption={t.caption}
      none={t.none}
      {...pageLinks(c, next ? formatPlace(next) : null)}
    />
  );
  return renderPage(c, page);
}

/** What was done to whom, with a link where there is a page about it. */
function TargetLink({
  target_kind: kind,
  target_id: id,
}: Pick<AuditRow, 'target_kind' | 'target_id'>) {
  const text = `${kind} ${id}`;
  const number = Number(id);
  const href = kind === 'store' ? operatorPaths.store(number) : operatorPaths.user(number);
  return kind === 'store' || kind === 'user' ? <a href={href}>{text}</a> : <>{text}</>;
}

/** What was done, as a sentence where there is one. */
function Deed(props: {
  action: string;
  /** What it was done to, as people call it. */
  name: string | null;
  actions: Readonly<Record<string, string>>;
}) {
  const { action, name, actions } = props;
  const text = actions[action];
  if (text === undefined) return <code>{action}</code>;
  return <Interpolate text={text} parts={{ target: <bdi>{name ?? ''}</bdi> }} />;
}
