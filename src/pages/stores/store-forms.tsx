import { SelectField } from '../components/choice-fields.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

/** What a form of a store was sent with. */
export interface TypedStore {
  name: string;
  zone: string;
  /** Of a new store. */
  alias?: string | undefined;
}

interface StoreFormPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  typed: TypedStore;
  /** All time zones to choose from. */
  zones: readonly string[];
  errors: readonly FormError[];
  back: string;
}

/** The form that makes a store, if `typed` has an alias, or edits one. */
export const StoreFormPage = ({ dashboard, typed, errors, ...props }: StoreFormPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const { edit, create } = messages.stores;
  const isNew = typed.alias !== undefined;
  const title = isNew ? create.title : edit.title;
  const errorOf = (name: string) => errors.find(({ field }) => field === name)?.text;
  return (
    <DashboardLayout {...dashboard} title={title}>
      <h1>{title}</h1>
      {errors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={errors} />}
      <form method="post" action={props.action} class="narrow" novalidate>
        <FormTokenInput formToken={props.formToken} />
        <TextField
          name="name"
          label={edit.name}
          type="text"
          autocomplete="organization"
          value={typed.name}
          error={errorOf('name')}
        />
        {typed.alias !== undefined && (
          <TextField
            name="alias"
            label={create.alias}
            hint={create.aliasHint}
            type="text"
            autocomplete="off"
            value={typed.alias}
            error={errorOf('alias')}
          />
        )}
        <SelectField
          name="zone"
          label={edit.zone}
          hint={edit.zoneHint}
          options={props.zones}
          value={typed.zone}
          error={errorOf('zone')}
        />
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{isNew ? create.submit : edit.save}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};
