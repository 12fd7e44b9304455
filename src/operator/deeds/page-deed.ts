import type { Messages } from '../../pages/i18n/en/messages.ts';
import type { DeedContext } from '../../people/deed.ts';

type Texts = Messages['operator'];

/** A field that a deed asks for besides the reason. */
interface DeedField {
  name: 'alias' | 'shard' | 'email' | 'role';
  type: 'text' | 'email';
  label: keyof Texts['forms'] & ('alias' | 'database' | 'email' | 'role');
  hint?: 'aliasHint' | 'roleHint';
  initial?: string;
}

/** What the form of a deed holds. */
export type DeedValues = Readonly<Record<string, string>>;

/** Something that an operator does to a record by a page of its own. */
export interface PageDeed {
  /** The last segment of the path. */
  segment: string;
  text: keyof Texts['deeds'];
  /** It ends something: it needs a reason, and a fresh proof of who the operator is. */
  endsSomething: boolean;
  isDangerous?: boolean;
  fields?: readonly DeedField[];
  /** Throws an `HttpError` or a `ValidationError`, or returns the code of a refusal. */
  run: (
    deed: DeedContext,
    id: number,
    values: DeedValues,
    /** The store of a member. */
    storeId?: number,
  ) => Promise<keyof Texts['refused'] | void>;
}
