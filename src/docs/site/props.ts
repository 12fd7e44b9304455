import type { Language } from '../../base/languages.ts';

/** Addresses of the files that every page loads; they contain a fingerprint. */
export interface SiteAssets {
  style: string;
  /**
   * Tabs that remember their language, copy buttons, and the search, which loads the rest on first
   * use.
   */
  script: string;
  /** Loaded on first use. */
  search: string;
  searchIndex: Record<Language, string>;
  /** The forms of the interactive reference. */
  reference: string;
}

export interface DocsLink {
  href: string;
  text: string;
  /** Of an operation. */
  method?: string;
}

export interface NavigationGroup {
  title: string;
  links: readonly DocsLink[];
}

/** Props that all pages of the documentation share. */
export interface SiteProps {
  language: Language;
  /** Without the name of the service. */
  title: string;
  /** One sentence for search engines. */
  description: string;
  /** The address of the page. */
  path: string;
  /** The address in each language, if there is more than one. */
  alternates?: Readonly<Record<Language, string>>;
  markdownPath?: string;
  navigation: readonly NavigationGroup[];
  assets: SiteAssets;
}

/** A heading in the table of contents of a page. */
export interface ContentsLink {
  id: string;
  text: string;
  level: number;
}

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

/**
 * The shape of a response in three parts, so that `record` can be a link: `{data: [`, `Brand`,
 * `], meta}`.
 */
export interface ResponseShape {
  before: string;
  record: string;
  href: string;
  after: string;
}

export interface OperationDoc {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** A scope, `signed-in` if any authenticated request is allowed, or empty if none is needed. */
  scope: string;
  /** HTML. */
  description: string;
  parameters: FieldDoc[];
  /** Whether QUERY on its path does the same. */
  answersQuery: boolean;
  /** Names of the parameters that the guide on lists describes. */
  listParameters: string[];
  bodyFields: FieldDoc[];
  success: { status: string; shape: ResponseShape };
  errors: { status: string; description: string }[];
  /** HTML of the samples in all languages, and of the example response. */
  samples: string;
  example: string;
}

export interface EventDoc {
  name: string;
  path: string;
  meaning: string;
  /** HTML. */
  explanation: string;
  /** The scopes that an app needs, all of them. */
  scopes: string[];
  /** Name of the record in `resource`, and its address; empty if `description` describes it. */
  record: string;
  recordHref: string;
  description: string;
  /** HTML. */
  example: string;
}

export interface RecordDoc {
  name: string;
  path: string;
  description: string;
  fields: FieldDoc[];
  /** The values of an enum with their meanings. */
  values: { value: string; meaning: string }[];
}
