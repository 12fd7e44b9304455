import { mutableKinds } from './kinds.ts';

const isMutable = (kind: string) => mutableKinds.some((mutable) => mutable === kind);

/** Whether the user switched this kind of mail off: all that may be, or this one. Never those about security. */
export function isMuted(kind: string, allowsNotifications: boolean, muted: string | null): boolean {
  if (!isMutable(kind)) return false;
  return !allowsNotifications || (muted !== null && parseKinds(muted).includes(kind));
}

const parseKinds = (json: string): unknown[] => {
  const kinds: unknown = JSON.parse(json);
  return Array.isArray(kinds) ? kinds : [];
};
