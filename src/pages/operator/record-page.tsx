import type { Child } from 'hono/jsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

interface RecordPageProps {
  dashboard: DashboardProps;
  title: string;
  state: { tone: Tone; text: string };
  facts: readonly (readonly [label: string, value: Child])[];
  /** Tables below the facts. */
  children?: Child;
  actions: readonly { href: string; text: string; isDangerous: boolean }[];
  isDone: boolean;
}

/** A store, a user or an app, as operators see it, with their possible actions. */
export const RecordPage = ({
  dashboard,
  title,
  state,
  facts,
  children,
  actions,
  isDone,
}: RecordPageProps) => {
  const t = messagesFor(dashboard.layout.language).operator;
  return (
    <DashboardLayout {...dashboard} title={title}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <FlashMessage text={isDone ? t.done : undefined} />
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
          <p class="actions">
            {actions.map(({ href, text, isDangerous }) => (
              <a class={isDangerous ? 'button plain danger' : 'button plain'} href={href}>
                {text}
              </a>
            ))}
          </p>
        </>
      )}
    </DashboardLayout>
  );
};
