import type { FieldErrors } from '../../problem.ts';

/** A customer's type with the documents of both types. */
export interface Documents {
  type: 'f' | 'j';
  cpf: string | null;
  cnpj: string | null;
}

const own = { f: 'cpf', j: 'cnpj' } as const;
const other = { f: 'cnpj', j: 'cpf' } as const;

/** What is wrong with the documents: a person has a CPF, a company a CNPJ, and none has the other's. */
export function documentErrors(sent: Documents, { isNeeded = true } = {}): FieldErrors {
  const { type } = sent;
  return {
    ...(isNeeded &&
      sent[own[type]] === null && { [own[type]]: [`Required when type is ${type}.`] }),
    ...(sent[other[type]] !== null && { [other[type]]: [`Must be null when type is ${type}.`] }),
  };
}

/** Type and documents after a change: with another type the document of the old one goes, unless it was sent. */
export function documentsAfter(before: Documents, sent: Partial<Documents>): Documents {
  const type = sent.type ?? before.type;
  const after = (name: 'cpf' | 'cnpj') => {
    if (sent[name] !== undefined) return sent[name];
    return type === before.type || name === own[type] ? before[name] : null;
  };
  return { type, cpf: after('cpf'), cnpj: after('cnpj') };
}

/** Whether a customer has the document of the type; one who bought as a guest may have none. */
export const hasDocument = (customer: Documents) => customer[own[customer.type]] !== null;
