import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import { formatPlace, parsePlace, type AuditRow } from '../../data/audit/window.ts';
import { listOperatorAudit } from '../../data/directory/activity.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { ListPage } from './operator-list-page.tsx';

const pageSize = 50;

/** `GET /operator/activity`: the actions of operators, newest first. */
export async function showOperatorActivity(page: SignedInPage) {
  const after = parsePlace(page.query('cursor') ?? '');
  const query = { limit: pageSize, ...(after && { after }) };
  const { rows, next } = await listOperatorAudit(page.directory, query);
  const { language } = page;
  const { operator, activity } = page.messages;
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
          <Action {...{ action, name, actions }} />
          {reason !== null && (
            <>
              <br />
              <Interpolate text={activity.reason} parts={{ reason: <bdi>{reason}</bdi> }} />
            </>
          )}
        </>
      ),
    },
    { label: t.about, cell: (row: AuditRow) => <TargetLink {...row} kinds={t.targets} /> },
    {
      label: activity.where,
      cell: ({ country, network }: AuditRow) =>
        [country, network].filter(Boolean).join(' ') || activity.unknownPlace,
    },
  ];
  return (
    <ListPage
      {...{ page, columns, rows }}
      part="operator/activity"
      texts={t}
      next={next ? formatPlace(next) : null}
    />
  );
}

/** The target of an action, with a link where there is a page about it. */
function TargetLink({
  target_kind: kind,
  target_id: id,
  kinds,
}: Pick<AuditRow, 'target_kind' | 'target_id'> & { kinds: Readonly<Record<string, string>> }) {
  const text = `${kinds[kind] ?? kind} ${id}`;
  const number = Number(id);
  const href = kind === 'store' ? operatorPaths.store(number) : operatorPaths.user(number);
  return kind === 'store' || kind === 'user' ? <a href={href}>{text}</a> : <>{text}</>;
}

/** The action, as a sentence where there is one. */
function Action(props: {
  action: string;
  /** The name of the target, as users know it. */
  name: string | null;
  actions: Readonly<Record<string, string>>;
}) {
  const { action, name, actions } = props;
  const text = actions[action];
  if (text === undefined) return <code>{action}</code>;
  return <Interpolate text={text} parts={{ target: <bdi>{name ?? ''}</bdi> }} />;
}
