import type { Child } from 'hono/jsx';
import { StateBadge, type Tone } from '../components/state-badge.tsx';
import { FlashMessage } from '../components/text.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

interface RecordPageProps {
  dashboard: DashboardProps;
  title: string;
  state: { tone: Tone; text: string };
  facts: readonly (readonly [label: string, value: Child])[];
  /** Tables below the facts. */
  children?: Child;
  deeds: readonly { href: string; text: string; isDangerous: boolean }[];
  isDone: boolean;
}

/** A store, a user or an app, as operators see it, with what they can do. */
export const RecordPage = ({
  dashboard,
  title,
  state,
  facts,
  children,
  deeds,
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
      {deeds.length > 0 && (
        <>
          <h2>{t.stores.deeds}</h2>
          <p class="actions">
            {deeds.map(({ href, text, isDangerous }) => (
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
