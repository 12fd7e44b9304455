/** A line of a table of parameters, body fields or record members. */
export interface FieldProps {
  name: string;
  type: string;
  /** Where the record that it holds is described. */
  href?: string;
  required: boolean;
  /** JSON; empty when there is none. */
  preset: string;
  limits: string;
  description: string;
}

export interface CodeProps {
  caption: string;
  code: string;
}

/** What an answer holds: `before`, the linked record, `after`. */
export interface ShapeProps {
  before: string;
  record: string;
  after: string;
}

export interface RowProps {
  id: string;
  verb: string;
  path: string;
  summary: string;
  scope: string;
  note: string;
  parameters: FieldProps[];
  /** Names of the parameters of every list, which are described once. */
  listParameters: string[];
  fields: FieldProps[];
  success: { status: string; shape: ShapeProps; example: string };
  refusals: { status: string; description: string }[];
  curl: string;
}

export interface EventProps {
  name: string;
  meaning: string;
  scope: string;
  /** The name of a described record, or empty. */
  record: string;
  description: string;
  example: string;
}

export interface RecordProps {
  name: string;
  description: string;
  fields: FieldProps[];
}

/** The states of one kind of record. */
export interface StatesProps {
  caption: string;
  rows: { state: string; next: readonly string[]; events: readonly string[] }[];
}

/** One try of a delivery. */
export interface RetryProps {
  attempt: number;
  wait: string;
  since: string;
}

export interface ErrorProps {
  status: string;
  description: string;
  headers: string[];
  examples: { summary: string; body: string }[];
}

/** Everything that the API reference shows. */
export interface DocsProps {
  title: string;
  version: string;
  baseUrl: string;
  authUrl: string;
  /** Whether the credentials in the examples work as they stand. */
  isLocal: boolean;
  alias: string;
  start: CodeProps[];
  oauth: CodeProps[];
  errors: ErrorProps[];
  scopes: { name: string; meaning: string }[];
  signatureHeader: string;
  deliveryHeaders: { name: string; description: string; example: string }[];
  verification: CodeProps[];
  retries: RetryProps[];
  sequenceHeader: string;
  attemptHeader: string;
  sections: { id: string; heading: string; rows: RowProps[] }[];
  states: StatesProps[];
  events: EventProps[];
  records: RecordProps[];
}
