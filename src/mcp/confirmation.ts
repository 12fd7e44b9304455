import { HttpError } from '../base/errors.ts';
import type { Arguments } from './tool-request.ts';
import type { Tool } from './tool.ts';

/** Whether a call needs the person's consent: a deletion, or one that moves money. */
export const needsConfirmation = ({ confirmation }: Tool, sent: Arguments): boolean =>
  confirmation !== undefined &&
  (confirmation.when === undefined ||
    Object.entries(confirmation.when).some(([name, values]) => values.includes(sent[name])));

/** The names of a record: `accepted` by the argument `confirm`, and `said` to the assistant. */
export interface Called {
  accepted: readonly string[];
  said: string;
}

/** The last id of the path, where the record itself is not read. */
export function calledById({ path }: Tool, sent: Arguments): Called {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const id = String(sent[names.at(-1) ?? ''] ?? '');
  return { accepted: [id], said: id };
}

/** The name of a record as its operation shows it, else its number or its id. */
export function calledByRecord(tool: Tool, sent: Arguments, shown: unknown): Called {
  const { data = shown } = shown as { data?: unknown };
  const record = ([data].flat()[0] ?? {}) as Record<string, unknown>;
  const { accepted } = calledById(tool, sent);
  const { name, number } = record;
  if (typeof name === 'string' && name !== '') {
    const isForeign = tool.confirmation?.isNameForeign === true;
    return {
      accepted: [name, ...(isForeign ? accepted : [])],
      said: isForeign ? accepted[0]! : name,
    };
  }
  if (typeof number !== 'number') return { accepted, said: accepted[0] ?? '' };
  return { accepted: [...accepted, String(number)], said: String(number) };
}

/** Whether the argument `confirm` of a call says what the record is called. */
export const isConfirmed = ({ accepted }: Called, { confirm }: Arguments): boolean =>
  (typeof confirm === 'string' || typeof confirm === 'number') &&
  accepted.includes(String(confirm).trim());

/** The question to the person, in a word. */
export const questionOf = ({ title }: Tool, { said }: Called): string => `${title}: ${said}?`;

/** The refusal of an unconfirmed call, which says what to send. */
export const confirmationRequired = (tool: Tool, { said }: Called): HttpError =>
  new HttpError('confirmation_required', {
    errors: { confirm: [`Must be ${JSON.stringify(said)}.`] },
    hint: `Ask the person whether to do this (${tool.title}: ${said}). After a yes, repeat the call with confirm: ${JSON.stringify(said)}.`,
  });

/** The refusal of a call to which the person said no. */
export const declined = (tool: Tool, { said }: Called): HttpError =>
  new HttpError('confirmation_required', {
    hint: `Do not repeat the call: the person was asked (${tool.title}: ${said}) and did not agree.`,
  });
