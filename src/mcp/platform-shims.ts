/**
 * The parts of the library of the Model Context Protocol that differ by runtime, in place of its
 * own (`alias` of wrangler.toml). Its own bring a validator of JSON schemas, for forms that a
 * server asks a client to fill in on an open connection. Here a call asks by its result
 * (`call-tool.ts`), so nothing needs it.
 */
export class DefaultJsonSchemaValidator {
  /** Never called: no request is sent to a client. */
  getValidator(): never {
    throw new Error('No form is asked for on an open connection.');
  }
}

/** Input and output of a process, which a Worker has not. */
export const process = {};
