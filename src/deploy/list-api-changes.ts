import type { DeployRun } from './run.ts';

/** The document that the live version serves, as JSON; `undefined` if none is live yet. */
async function readLiveDocument({ deployment, fetch }: DeployRun): Promise<string | undefined> {
  try {
    const response = await fetch(`https://${deployment.host}/openapi.json`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    });
    return response.status === 200 ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

/** Compares the document of the live version with that of this release, before anything changes. */
export async function listApiChanges(run: DeployRun): Promise<void> {
  const live = await readLiveDocument(run);
  if (live === undefined) {
    run.print('  No document is served yet.');
    return;
  }
  // It builds the document of all operations, which the other steps do not need.
  const { changesSince, formatChanges } = await import('../docs/api-changes.ts');
  const changes = changesSince(live);
  const lines = formatChanges(changes);
  for (const line of lines) run.print(`  ${line}`);
  if (run.mayBreakCallers || changes.every(({ breaks }) => !breaks)) return;
  throw new Error(
    'This release breaks what the guide about versions promises callers. If that is meant: ' +
      'npm run deploy -- --break-callers.',
  );
}
