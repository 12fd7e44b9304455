import {
  describedByIds,
  ErrorSummary,
  FieldError,
  FormTokenInput,
  TextField,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
import type { Messages } from '../i18n/en/messages.ts';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

/** Why no API key was created. */
export type NewApiKeyError =
  | 'nameMissing'
  | 'nameLong'
  | 'storesNone'
  | 'storesBoth'
  | 'powersNone'
  | 'powersBoth'
  | 'expiryMissing'
  | 'tooMany';

const fieldOf: Readonly<Record<NewApiKeyError, string | undefined>> = {
  nameMissing: 'name',
  nameLong: 'name',
  storesNone: 'stores',
  storesBoth: 'stores',
  powersNone: 'powers',
  powersBoth: 'powers',
  expiryMissing: 'expiry',
  tooMany: undefined,
};

type AreaName = keyof Messages['scopes']['areas'];

const expiryValues = ['30', '90', '365', 'never'] as const;

interface NewApiKeyPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  /** The submitted values. */
  typed: { name: string; stores: string; powers: string; expiry: string; isForOperator: boolean };
  stores: readonly { id: number; name: string; alias: string; isChosen: boolean }[];
  areas: readonly { area: AreaName; chosen: 'none' | 'read' | 'write' }[];
  /** Whether the user is a viewer wherever they are a member, so that a key only reads. */
  onlyReads: boolean;
  /** Whether the user is an operator of the service. */
  isOperator: boolean;
  errors: readonly NewApiKeyError[];
  back: string;
}

/** Asks what a new API key is for, and what it may do. */
export const NewApiKeyPage = ({ dashboard, typed, errors, ...props }: NewApiKeyPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.apiKeys;
  const formErrors = errors.map((error): FormError => {
    const field = fieldOf[error];
    return { text: t.errors[error], ...(field !== undefined && { field }) };
  });
  const errorOf = (name: string) => formErrors.find(({ field }) => field === name)?.text;
  return (
    <DashboardLayout {...dashboard} title={messages.account.keys.create}>
      <h1>{messages.account.keys.create}</h1>
      {formErrors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={formErrors} />}
      <form method="post" action={props.action} class="narrow" novalidate>
        <FormTokenInput formToken={props.formToken} />
        <TextField
          name="name"
          label={messages.account.keys.name}
          hint={messages.account.keys.nameHint}
          type="text"
          value={typed.name}
          autocomplete="off"
          error={errorOf('name')}
        />
        <Choice
          name="stores"
          legend={t.stores}
          value={typed.stores}
          all={t.allStores}
          chosen={t.chosenStores}
          error={errorOf('stores')}
        >
          {props.stores.map(({ id, name, alias, isChosen }) => (
            <label class="check">
              <input type="checkbox" name="store_ids" value={String(id)} checked={isChosen} />
              <span>
                <bdi>{name}</bdi> <code>{alias}</code>
              </span>
            </label>
          ))}
        </Choice>
        <Choice
          name="powers"
          legend={t.powers}
          hint={props.onlyReads ? t.onlyReads : t.powersHint}
          value={typed.powers}
          all={props.onlyReads ? t.allReads : t.allPowers}
          chosen={t.chosenPowers}
          error={errorOf('powers')}
        >
          {props.areas.map(({ area, chosen }) => (
            <AreaSelect
              {...{ area, chosen, messages }}
              powers={props.onlyReads ? ['none', 'read'] : ['none', 'read', 'write']}
            />
          ))}
        </Choice>
        <fieldset
          class="field"
          id="expiry"
          tabindex={-1}
          aria-describedby={describedByIds({ name: 'expiry', error: errorOf('expiry') })}
        >
          <legend>{t.expiry}</legend>
          <FieldError name="expiry" error={errorOf('expiry')} />
          {expiryValues.map((value) => (
            <label class="check">
              <input type="radio" name="expiry" value={value} checked={typed.expiry === value} />
              <span>{t.expiries[value]}</span>
            </label>
          ))}
        </fieldset>
        {props.isOperator && (
          <fieldset class="field">
            <legend>{t.operators}</legend>
            <label class="check">
              <input
                type="checkbox"
                name="for_operator"
                value="yes"
                checked={typed.isForOperator}
              />
              <span>{t.forOperators}</span>
            </label>
          </fieldset>
        )}
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{messages.account.keys.create}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};

/** Everything, or what is chosen below. */
const Choice = ({
  name,
  legend,
  hint,
  value,
  all,
  chosen,
  error,
  children,
}: {
  name: string;
  legend: string;
  hint?: string;
  value: string;
  all: string;
  chosen: string;
  error: string | undefined;
  children: unknown;
}) => (
  <fieldset
    class="field"
    id={name}
    tabindex={-1}
    aria-describedby={describedByIds({ name, hint, error })}
  >
    <legend>{legend}</legend>
    {hint && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    <FieldError name={name} error={error} />
    <label class="check">
      <input type="radio" name={name} value="all" checked={value === 'all'} />
      <span>{all}</span>
    </label>
    <label class="check">
      <input type="radio" name={name} value="chosen" checked={value === 'chosen'} />
      <span>{chosen}</span>
    </label>
    <div class="chosen">{children}</div>
  </fieldset>
);

const AreaSelect = ({
  area,
  chosen,
  powers,
  messages,
}: {
  area: AreaName;
  chosen: 'none' | 'read' | 'write';
  powers: readonly ('none' | 'read' | 'write')[];
  messages: Messages;
}) => (
  <div class="area">
    <label for={`area_${area}`}>{messages.scopes.areas[area]}</label>
    <select id={`area_${area}`} name={`area_${area}`}>
      {powers.map((power) => (
        <option value={power} selected={power === chosen}>
          {messages.apiKeys.areaPowers[power]}
        </option>
      ))}
    </select>
  </div>
);
