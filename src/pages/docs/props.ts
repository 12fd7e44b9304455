import type { CodeExample } from '../components/code-block.tsx';

/** One line of a table of parameters, body fields or fields of a record. */
export interface FieldDoc {
  name: string;
  type: string;
  /** Link to the description of the record in this field. */
  href?: string;
  required: boolean;
  /** JSON; empty if there is no default. */
  defaultValue: string;
  limits: string;
  description: string;
}

/** The shape of a response in three parts, so that `record` can be a link: `{data: [`, `Brand`, `], meta}`. */
export interface ResponseShape {
  before: string;
  record: string;
  after: string;
}

export interface OperationDoc {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** A scope, or `signed-in` if any authenticated request is allowed. */
  scope: string;
  note: string;
  parameters: FieldDoc[];
  /** Names of the parameters that the section on lists describes once. */
  listParameters: string[];
  bodyFields: FieldDoc[];
  success: { status: string; shape: ResponseShape; example: string };
  errors: { status: string; description: string }[];
  curl: string;
}

/** A group of operations, one section of the page. */
interface OperationGroup {
  id: string;
  title: string;
  operations: OperationDoc[];
}

export interface EventDoc {
  name: string;
  meaning: string;
  /** The scopes that an app needs, all of them. */
  scopes: string[];
  /** Name of the record in `resource`; empty if `description` describes it. */
  record: string;
  description: string;
  example: string;
}

export interface RecordDoc {
  name: string;
  description: string;
  fields: FieldDoc[];
}

/** The states of one kind of record. */
export interface StateTable {
  caption: string;
  rows: { state: string; next: readonly string[]; events: readonly string[] }[];
}

/** One attempt of a delivery: the wait since the previous attempt and since the first one. */
export interface RetryDoc {
  attempt: number;
  wait: string;
  sinceFirst: string;
}

export interface ErrorDoc {
  status: string;
  description: string;
  headers: string[];
  examples: { summary: string; body: string }[];
}

/** The whole content of the API reference. */
export interface DocsPageProps {
  title: string;
  version: string;
  baseUrl: string;
  authUrl: string;
  /** Whether the examples contain a real API key, so that they run unchanged. */
  hasWorkingExamples: boolean;
  alias: string;
  firstCalls: CodeExample[];
  oauthCalls: CodeExample[];
  errors: ErrorDoc[];
  scopes: { name: string; meaning: string }[];
  signatureHeader: string;
  deliveryHeaders: { name: string; description: string; example: string }[];
  signatureExamples: CodeExample[];
  retries: RetryDoc[];
  /** How long events are stored. */
  eventDays: number;
  sequenceHeader: string;
  attemptHeader: string;
  operationGroups: OperationGroup[];
  stateTables: StateTable[];
  events: EventDoc[];
  records: RecordDoc[];
}
