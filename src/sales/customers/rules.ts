import { type FieldErrors, ValidationError } from '../../base/errors.ts';

/** The type of a customer (`f` person, `j` company) and the documents of both types. */
export interface Documents {
  type: 'f' | 'j';
  cpf: string | null;
  cnpj: string | null;
}

const ownDocument = { f: 'cpf', j: 'cnpj' } as const;
const otherDocument = { f: 'cnpj', j: 'cpf' } as const;

/**
 * Returns the errors of the documents: a person has a CPF, a company a CNPJ, and neither has the
 * other.
 */
export function validateDocuments(documents: Documents, { isRequired = true } = {}): FieldErrors {
  const { type } = documents;
  return {
    ...(isRequired &&
      documents[ownDocument[type]] === null && {
        [ownDocument[type]]: [`Required when type is ${type}.`],
      }),
    ...(documents[otherDocument[type]] !== null && {
      [otherDocument[type]]: [`Must be null when type is ${type}.`],
    }),
  };
}

/**
 * Applies changes to type and documents. Another type removes the document of the old type, unless
 * it is sent.
 */
export function mergeDocuments(before: Documents, sent: Partial<Documents>): Documents {
  const type = sent.type ?? before.type;
  const mergeDocument = (name: 'cpf' | 'cnpj') => {
    if (sent[name] !== undefined) return sent[name];
    return type === before.type || name === ownDocument[type] ? before[name] : null;
  };
  return { type, cpf: mergeDocument('cpf'), cnpj: mergeDocument('cnpj') };
}

/**
 * Whether a customer has the document of its type. A customer who checked out as a guest may have
 * none.
 */
export const hasDocument = (customer: Documents) => customer[ownDocument[customer.type]] !== null;

/** Throws `ValidationError` for an anonymised customer, who must not get personal data again. */
export function assertNotAnonymized(isAnonymized: boolean) {
  if (!isAnonymized) return;
  throw new ValidationError({ anonymized: ['Must not be an anonymised customer.'] });
}
