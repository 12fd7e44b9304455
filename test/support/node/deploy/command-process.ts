/**
 * `node --import command-process.ts?origin={origin of the account} {command}`: brings a command of
 * operators to a fake account. A pause of a second or more is printed and ends at once, so a test
 * sees that a command waits, and need not.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { fetchAt } from './account-server.ts';

globalThis.fetch = fetchAt(new URL(import.meta.url).searchParams.get('origin') ?? '');

const wait = timers.setTimeout;

timers.setTimeout = (ms = 0, ...rest) => {
  if (ms >= 1000) console.log(`(waits ${ms} ms)`);
  return wait(ms >= 1000 ? 0 : ms, ...rest);
};
syncBuiltinESMExports();
