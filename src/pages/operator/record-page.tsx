import type { Child, PropsWithChildren } from 'hono/jsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import type { Part, SignedInPage } from '../../web/page.ts';
import { doneOf, type OperatorAction } from './operator-actions.tsx';

/**
 * A store, a user or an app, as operators see it, with their possible actions, those that end
 * something apart.
 */
export const RecordPage = ({
  page,
  part,
  path,
  title,
  state,
  facts,
  actions,
  children,
}: PropsWithChildren<{
  page: SignedInPage;
  part: Part;
  path: string;
  title: string;
  state: { tone: Tone; text: string };
  facts: readonly (readonly [label: string, value: Child])[];
  actions: readonly OperatorAction[];
}>) => {
  const t = page.messages.operator;
  return (
    <DashboardLayout {...page.dashboard(part)} title={title}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <FlashMessage text={doneOf(page)} />
      <p>
        <StateBadge {...state} />
      </p>
      <dl class="facts">
        {facts.map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      {children}
      {actions.length > 0 && (
        <>
          <h2>{t.stores.actions}</h2>
          {(['plain', 'danger'] as const).map((look) => (
            <Actions {...{ page, path, look, actions }} />
          ))}
        </>
      )}
    </DashboardLayout>
  );
};

/** The actions that end something, or the others; nothing if there are none. */
const Actions = ({
  page,
  path,
  look,
  actions,
}: {
  page: SignedInPage;
  path: string;
  look: 'plain' | 'danger';
  actions: readonly OperatorAction[];
}) => {
  const shown = actions.filter(({ isDangerous }) => isDangerous === (look === 'danger'));
  return shown.length === 0 ? null : (
    <p class="actions">
      {shown.map(({ segment, id }) => (
        <a class={`button ${look}`} href={`${path}/${segment}`}>
          {page.messages.operator.actions[id].link}
        </a>
      ))}
    </p>
  );
};
