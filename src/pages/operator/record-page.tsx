import type { Child } from 'hono/jsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

interface RecordAction {
  href: string;
  text: string;
  isDangerous: boolean;
}

interface RecordPageProps {
  dashboard: DashboardProps;
  title: string;
  state: { tone: Tone; text: string };
  facts: readonly (readonly [label: string, value: Child])[];
  /** Tables below the facts. */
  children?: Child;
  actions: readonly RecordAction[];
  /** The outcome of the last form, and its consequence. */
  done: string | undefined;
}

/** A store, a user or an app, as operators see it, with their possible actions, those that end something apart. */
export const RecordPage = ({
  dashboard,
  title,
  state,
  facts,
  children,
  actions,
  done,
}: RecordPageProps) => {
  const t = messagesFor(dashboard.layout.language).operator;
  return (
    <DashboardLayout {...dashboard} title={title}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <FlashMessage text={done} />
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
            <Actions look={look} actions={actions} />
          ))}
        </>
      )}
    </DashboardLayout>
  );
};

/** The actions that end something, or the others; nothing if there are none. */
const Actions = ({
  look,
  actions,
}: {
  look: 'plain' | 'danger';
  actions: readonly RecordAction[];
}) => {
  const shown = actions.filter(({ isDangerous }) => isDangerous === (look === 'danger'));
  return shown.length === 0 ? null : (
    <p class="actions">
      {shown.map(({ href, text }) => (
        <a class={`button ${look}`} href={href}>
          {text}
        </a>
      ))}
    </p>
  );
};
