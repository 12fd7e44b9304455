import type { ErrorCode } from '../../base/error-codes.ts';

/** The text of an operation: its name in each language, and its effect for a shop. */
interface OperationText {
  en: {
    /** A short imperative, such as "List brands". Derived from the id if absent. */
    summary?: string;
    /** Its effect, when to use it, and further effects. */
    description: string;
  };
  'pt-BR': string;
  es: string;
}

/**
 * Texts that only the document needs, so the Worker does not contain them. `docs/meaning` has them.
 */
export interface DocumentTexts {
  /** Introduction to the API, in Markdown. */
  introduction: string;
  /** By operation id. */
  operations: Readonly<Record<string, OperationText>>;
  /** By tag. */
  tags: Readonly<Record<string, string>>;
  /** Groups of tags in the reference, in order. */
  tagGroups: readonly { name: string; tags: readonly string[] }[];
  /**
   * Of ids in paths, by the path without `/{alias}/` up to the id, such as `catalog/brands/{id}`.
   */
  pathParameters: Readonly<Record<string, string>>;
  /** Of events: when they are sent, and their use. */
  events: Readonly<Record<string, string>>;
  /** The meaning of every `code` of an error. */
  errorCodes: Readonly<Record<ErrorCode, string>>;
}
