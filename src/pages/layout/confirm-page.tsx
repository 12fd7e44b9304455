import type { Child } from 'hono/jsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
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
  /** Asks for a reason, in the field `reason`. */
  reason?: { value: string; error?: 'missing' | 'long' | undefined } | undefined;
  /** An error, and the field that it belongs to, if any. */
  error?: string | undefined;
  errorField?: string | undefined;
  /** Further fields. */
  fields?: Child;
}

/** Asks for confirmation and states the consequences. Status 422 with an error. */
export const ConfirmPage = ({ reason, error, errorField, ...props }: ConfirmPageProps) => {
  const messages = messagesFor(props.dashboard.layout.language);
  const { reason: label, reasonHint: hint, ...t } = messages.common;
  const reasonError =
    reason?.error && (reason.error === 'missing' ? t.reasonMissing : t.reasonLong);
  const errors: FormError[] = [
    ...(error === undefined
      ? []
      : [{ text: error, ...(errorField !== undefined && { field: errorField }) }]),
    ...(reasonError === undefined ? [] : [{ field: 'reason', text: reasonError }]),
  ];
  return (
    <DashboardLayout {...props.dashboard} title={props.title}>
      <h1>{props.question}</h1>
      {errors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={errors} />}
      {props.paragraphs.map((paragraph) => (
        <p>{paragraph}</p>
      ))}
      <form method="post" action={props.action} novalidate>
        <FormTokenInput formToken={props.formToken} />
        {reason && (
          <TextField
            name="reason"
            type="text"
            autocomplete="off"
            value={reason.value}
            error={reasonError}
            {...{ label, hint }}
          />
        )}
        {props.fields}
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button class={props.isDangerous ? 'danger' : undefined}>{props.submit}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};
