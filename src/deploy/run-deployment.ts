import { assertTurn, giveTurnBack } from './deploy-lock.ts';
import { prepareSteps } from './prepare.ts';
import { provisionSteps } from './provision.ts';
import { releaseSteps } from './release.ts';
import { deriveConfigs, type DeployRun, type Step } from './step.ts';

const steps: readonly Step[] = [...provisionSteps, ...prepareSteps, ...releaseSteps];

/** A step that failed. Its message names the failure and the way to continue. */
class StepError extends Error {
  constructor(step: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `${step} failed:\n\n${reason}\n\nMend the cause and run npm run deploy again. It goes on with this step; what ` +
        'is done stays done.',
      { cause },
    );
  }
}

/** A database cannot change its place, and a shard with stores cannot disappear. Throws for a file that asks for it. */
function assertShardsStay({ state, resources, deployment }: DeployRun) {
  for (const [binding, { location, jurisdiction }] of Object.entries(state.state.databases)) {
    const isWanted = resources.databases.some((database) => database.binding === binding);
    if (!isWanted) throw new Error(`The deployment file no longer has ${binding}. Shards stay.`);
    if (deployment.location !== location) {
      throw new Error(
        `${binding} is in ${location}. A database cannot move to ${deployment.location}.`,
      );
    }
    if (jurisdiction !== deployment.jurisdiction) {
      throw new Error(
        `${binding} was created ${jurisdiction ? `in the jurisdiction ${jurisdiction}` : 'without a jurisdiction'}. ` +
          'That cannot change.',
      );
    }
  }
}

/** A value of the right form where an id is not known yet, so that the configuration can be checked before. */
const sampleId = (index: number) =>
  `00000000-0000-4000-8000-${String(index + 123_456).padStart(12, '0')}`;

/** Throws if the deployment file and wrangler.toml give no valid configuration. Calls no service. */
export function checkDeployment(run: DeployRun) {
  assertShardsStay(run);
  const { databases, namespaces } = run.resources;
  const known = structuredClone(run.state.state);
  for (const [index, { binding }] of databases.entries()) {
    known.databases[binding] ??= { id: sampleId(index), location: run.deployment.location };
  }
  for (const [index, { binding }] of namespaces.entries()) {
    known.namespaces[binding] ??= sampleId(100_000 + index);
  }
  deriveConfigs(run, known);
}

/** Prints every step and its actions. Calls nothing and writes nothing. */
export function printPlan(run: DeployRun) {
  const { print, deployment, resources } = run;
  const { databases, queues } = resources;
  print(
    `Plan for ${deployment.name} at https://${deployment.host} (nothing is called or written):`,
  );
  print(`${databases.length} databases, ${queues.length} queues.`);
  for (const [index, { title, plan }] of steps.entries()) {
    print(`\n${index + 1}. ${title}`);
    for (const line of plan(run)) print(`   ${line}`);
  }
}

/** Runs all steps in turn. Throws a {@link StepError} at the first that fails. */
export async function deploy(run: DeployRun) {
  for (const [index, { title, run: runStep }] of steps.entries()) {
    run.print(`${index + 1}/${steps.length} ${title}`);
    try {
      assertTurn(run);
      await runStep(run);
    } catch (error) {
      await giveTurnBack(run);
      throw new StepError(`Step ${index + 1}, ${title},`, error);
    }
  }
  await giveTurnBack(run);
}
