/**
 * `npm run operator -- COMMAND ...` (runs in Node, is not part of the Worker): actions of
 * operators, from the command line.
 */
import { runOperatorCommand } from './run-operator.ts';

process.exitCode = await runOperatorCommand(process.argv.slice(2), process.env);
