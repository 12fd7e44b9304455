/** A command line that cannot be run as it is: exit code 2. The message says what to write instead. */
export class UsageError extends Error {}
