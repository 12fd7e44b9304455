import type { Child } from 'hono/jsx';
import {
  allScopeBits,
  coversScope,
  isDangerousScope,
  scopeAreas,
  scopesFromBits,
  scopesToBits,
  type Scope,
  type ScopeArea,
} from '../../data/grants/scopes.ts';
import { Group } from '../components/choice-fields.tsx';
import type { Messages } from '../texts/en/messages.ts';
import { sentText } from './form-values.ts';

/**
 * The sets of what a key or an app may do, least power first; null for everything. Prices belong to
 * the catalogue.
 */
const presets = {
  read: scopeAreas.map((area): Scope => `${area}.read`),
  stock: ['catalog.write', 'inventory.write'],
  orders: ['catalog.read', 'inventory.read', 'customers.read', 'orders.write', 'invoices.write'],
  all: null,
} as const satisfies Record<string, readonly Scope[] | null>;

export type ScopePreset = keyof typeof presets;

const isPreset = (value: string): value is ScopePreset => Object.hasOwn(presets, value);

/**
 * The fields of a form with a {@link ScopeChoice}: a set or `chosen`, and the power over each area.
 */
export const scopeChoiceFields = {
  powers: sentText,
  ...Object.fromEntries(scopeAreas.map((area) => [`area_${area}`, sentText])),
};

type SentChoice = Readonly<Record<string, unknown>> & { powers: string };

/**
 * Returns the fault of a choice: a set together with areas, since no sent value may be ignored, or
 * nothing at all.
 */
export function findChoiceFault(sent: SentChoice): 'powersBoth' | 'powersNone' | undefined {
  const isChosen = chosenScopes(sent).size > 0;
  if (isPreset(sent.powers)) return isChosen ? 'powersBoth' : undefined;
  return sent.powers === 'chosen' && isChosen ? undefined : 'powersNone';
}

/** The scopes of a checked choice; null for everything. */
export function scopesOfChoice(sent: SentChoice): number | null {
  if (!isPreset(sent.powers)) return scopesToBits(chosenScopes(sent));
  const preset = presets[sent.powers];
  return preset && scopesToBits(new Set<Scope>(preset));
}

/** The scopes of the powers over areas. */
const chosenScopes = (sent: Readonly<Record<string, unknown>>): Set<Scope> =>
  new Set(
    scopeAreas.flatMap((area): Scope[] => {
      const power = (['read', 'write'] as const).find((one) => one === sent[`area_${area}`]);
      return power ? [`${area}.${power}`] : [];
    }),
  );

type Power = keyof Messages['apiKeys']['areaPowers'];

/** The choice that a form shows. */
interface ShownChoice {
  powers: string;
  areas: readonly { area: ScopeArea; power: string }[];
}

/** The choice that was sent, or that of stored scopes; at first the least power. */
export function shownChoice(sent: URLSearchParams | undefined, stored?: number): ShownChoice {
  const choose = (powers: string, powerOver: (area: ScopeArea) => string): ShownChoice => ({
    powers,
    areas: scopeAreas.map((area) => ({ area, power: powerOver(area) })),
  });
  if (sent) {
    return choose(sent.get('powers') ?? '', (area) => sent.get(`area_${area}`) ?? 'none');
  }
  if (stored === undefined) return choose('read', () => 'none');
  const set = (Object.keys(presets) as ScopePreset[]).find((name) => {
    const preset = presets[name];
    const bits = preset ? scopesToBits(new Set<Scope>(preset)) : allScopeBits;
    return scopeAreas.every((area) => powerIn(bits, area) === powerIn(stored, area));
  });
  return set ? choose(set, () => 'none') : choose('chosen', (area) => powerIn(stored, area));
}

function powerIn(bits: number, area: ScopeArea): Power {
  const granted = scopesFromBits(bits);
  if (granted.has(`${area}.write`)) return 'write';
  return coversScope(granted, `${area}.read`) ? 'read' : 'none';
}

/** A set of scopes, or a power over each area. */
export const ScopeChoice = ({
  messages: { apiKeys: t, scopes, partners },
  shown: { powers, areas },
  texts,
  onlyReads = false,
  ...field
}: {
  messages: Messages;
  shown: ShownChoice;
  texts: { label: string; hint: string; presets: Readonly<Record<ScopePreset, string>> };
  /** Offers nothing that changes anything. */
  onlyReads?: boolean;
  error: string | undefined;
}) => {
  const { read, ...others } = texts.presets;
  const offered: readonly Power[] = onlyReads ? ['none', 'read'] : ['none', 'read', 'write'];
  return (
    <SetChoice
      {...field}
      name="powers"
      label={texts.label}
      hint={texts.hint}
      value={powers}
      options={{ read, ...(onlyReads ? {} : others), chosen: t.chosenPowers }}
    >
      {areas.map(({ area, power: chosen }) => (
        <div class="area">
          <label for={`area_${area}`}>
            {scopes.areas[area]}{' '}
            {!onlyReads && isDangerousScope(`${area}.write`) && (
              <span class="tag">{partners.form.careful}</span>
            )}
          </label>
          <select id={`area_${area}`} name={`area_${area}`}>
            {offered.map((power) => (
              <option value={power} selected={power === chosen}>
                {t.areaPowers[power]}
              </option>
            ))}
          </select>
        </div>
      ))}
    </SetChoice>
  );
};

/** One of the sets, or what is chosen below. */
export const SetChoice = ({
  value,
  options,
  children,
  ...field
}: {
  name: string;
  label: string;
  hint?: string;
  value: string;
  options: Readonly<Record<string, string>>;
  error: string | undefined;
  children?: Child;
}) => (
  <Group {...field}>
    {Object.entries(options).map(([choice, text]) => (
      <label class="check">
        <input type="radio" name={field.name} value={choice} checked={value === choice} />
        <span>{text}</span>
      </label>
    ))}
    <div class="chosen">{children}</div>
  </Group>
);
