import type { Scope, ScopeArea } from '../data/grants/scopes.ts';

/** A JSON schema, as far as a tool has one. */
export interface ToolSchema {
  type?: string | string[] | undefined;
  description?: string;
  properties?: Record<string, ToolSchema>;
  required?: string[];
  items?: ToolSchema;
  anyOf?: ToolSchema[];
  additionalProperties?: boolean | ToolSchema;
  [keyword: string]: unknown;
}

/** The assumptions that a client may make of a call (`ToolAnnotations` of the protocol). */
interface ToolHints {
  title: string;
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/**
 * Which calls need the consent of the person behind an assistant, and where the name of their
 * record is.
 */
export interface Confirmation {
  /** The path of the operation that shows the record; absent where only its id is known. */
  shownAt?: string | undefined;
  /**
   * Whether the name of such a record is a text of third parties, which no hint repeats as an
   * order.
   */
  isNameForeign?: true;
  /**
   * A call without these arguments, or with these values of them, needs it not; absent if each call
   * does.
   */
  unless?: Readonly<Record<string, readonly unknown[]>>;
}

/** An operation of a store as a tool: what a model reads of it, and how to call it. */
export interface Tool {
  /** The operationId in snake case. */
  name: string;
  title: string;
  /** The title in the other languages of the documentation, by which search finds it, too. */
  translations: readonly string[];
  /** Further words by which search finds it, in all languages. */
  words: string;
  /** The first paragraph says what it is for; the others, how it behaves. */
  description: string;
  tag: string;
  area: ScopeArea;
  /** The scope that its caller needs; `null` for one that any caller of the store may use. */
  scope: Scope | null;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base path, with `{alias}` and the ids. */
  path: string;
  /** Names of query parameters; the value `list` is sent with commas. */
  query: Readonly<Record<string, 'one' | 'list'>>;
  /** How the body is sent; absent without one. */
  body?: 'json' | 'lines';
  inputSchema: ToolSchema;
  outputSchema: ToolSchema;
  annotations: ToolHints;
  /** Arguments of a call that could work. */
  example: Record<string, unknown>;
  /** Names of the fields of its record. */
  fields: readonly string[];
  /** The fields that are shown without `fields`: of a list, and of a change of a large record. */
  mainFields?: readonly string[];
  /**
   * Where texts of third parties are in its answer, such as `data.*.message`; texts below it are
   * theirs, too.
   */
  foreignTexts: readonly string[];
  /** Whether this server tries a change (`dry_run`), and not the operation. */
  canTry?: true;
  confirmation?: Confirmation;
}

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A page of the documentation, as a resource. */
export interface DocumentationPage {
  /** Path of the Markdown below the origin. */
  path: string;
  title: string;
  description: string;
}

/** The data that the build of the documentation writes for this server. */
export interface ToolFile {
  tools: readonly Tool[];
  pages: readonly DocumentationPage[];
}

/** Where the build writes it, in the folder of the documentation. */
export const toolFilePath = 'mcp/tools.json';
