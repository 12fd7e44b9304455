#!/usr/bin/env node
/**
 * The command line `store-api` (runs in Node): `npm run store-api -- ...` here, `npx store-api` of
 * the package.
 */
import { runCommandLine } from './run-command.ts';

const interruption = new AbortController();
// A second Ctrl-C ends the process at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort());

process.exitCode = await runCommandLine(process.argv.slice(2), process.env, interruption.signal);
