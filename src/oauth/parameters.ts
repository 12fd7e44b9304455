/** Parameters by name. One without a value counts as absent (RFC 6749, section 3.1). */
export class Parameters {
  readonly #sent: URLSearchParams;

  constructor(sent: URLSearchParams) {
    this.#sent = sent;
  }

  get(name: string): string | undefined {
    return this.#sent.get(name) || undefined;
  }

  /** The first of these that is there more than once. */
  repeated(names: readonly string[]): string | undefined {
    return names.find((name) => this.#sent.getAll(name).length > 1);
  }
}
