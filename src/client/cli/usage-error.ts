/** A command line that cannot be run as it is: exit code 2. The message names the correct form. */
export class UsageError extends Error {}
