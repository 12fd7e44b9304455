import type { Child } from 'hono/jsx';
import { FormTokenInput } from '../components/form-fields.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from './dashboard-layout.tsx';

interface ConfirmPageProps {
  dashboard: DashboardProps;
  /** The title of the window, in plain text. */
  title: string;
  question: Child;
  /** The consequences. */
  paragraphs: readonly Child[];
  action: string;
  formToken: string;
  /** Text of the button. */
  submit: string;
  isDangerous: boolean;
  /** Link of Cancel. */
  back: string;
}

/** Asks for confirmation and states the consequences. */
export const ConfirmPage = (props: ConfirmPageProps) => (
  <DashboardLayout {...props.dashboard} title={props.title}>
    <h1>{props.question}</h1>
    {props.paragraphs.map((paragraph) => (
      <p>{paragraph}</p>
    ))}
    <form method="post" action={props.action} class="actions">
      <FormTokenInput formToken={props.formToken} />
      <a class="button plain" href={props.back}>
        {messagesFor(props.dashboard.layout.language).account.cancel}
      </a>
      <button class={props.isDangerous ? 'danger' : undefined}>{props.submit}</button>
    </form>
  </DashboardLayout>
);
