/** `npm run operator -- DEED ...` (runs in Node, is not part of the Worker): what operators do, from the command line. */
import { runOperatorCommand } from './run.ts';

process.exitCode = await runOperatorCommand(process.argv.slice(2), process.env);
