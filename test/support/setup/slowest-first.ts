import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, the longest first; each would lengthen the run if it started late.
 */
const slowest = [
  'browser/pages.test.ts',
  'deploy/real-wrangler.slow.test.ts',
  'service/memory.slow.test.ts',
  'service/tool-speed.slow.test.ts',
  'service/speed.slow.test.ts',
  'client/packages-service.slow.test.ts',
  'service/large-import.slow.test.ts',
  'delivery/hung-endpoint.slow.test.ts',
  'browser/docs.slow.test.ts',
  'delivery/killed-runtime.slow.test.ts',
  'client/client.test.ts',
  'deploy/deploy.test.ts',
  'client/command-line.test.ts',
  'deploy/copy-store.test.ts',
  'service/running-service.test.ts',
  'browser/journey.test.ts',
  'service/npm-start.test.ts',
  'service/fuzz.slow.test.ts',
  'delivery/simulation.test.ts',
  'delivery/receiver-responses.slow.test.ts',
  'service/token-races.slow.test.ts',
  'service/fairness.slow.test.ts',
  'service/oversell.slow.test.ts',
  'client/packages-requests.slow.test.ts',
  'journeys/trust.slow.test.ts',
  'clients/openapi-lint.test.ts',
  'journeys/first-operator.slow.test.ts',
  'service/restore.slow.test.ts',
  'clients/conformance.test.ts',
  'client/mcp-command.slow.test.ts',
  'copies/drill.slow.test.ts',
  'sales/cart-model.test.ts',
  'jobs/moves.test.ts',
  'copies/restore.test.ts',
  'specification/access-errors.test.ts',
  'trust/closing.test.ts',
  'at-once/fifty-at-once.test.ts',
  'properties/arbitrary-input.slow.test.ts',
  'properties/round-trip.slow.test.ts',
  'at-once/one-tag.test.ts',
  'tenants/foreign-ids.test.ts',
  'delivery/outcomes.test.ts',
];

const projects = ['simulation', 'process', 'unit', 'worker'];

/**
 * Position of a file: by project, since files of one project share a runtime, then the slowest
 * first.
 */
function rank({ moduleId, project }: TestSpecification): number {
  const position = slowest.findIndex((name) => moduleId.endsWith(name));
  return projects.indexOf(project.name) * 1_000 + (position === -1 ? slowest.length : position);
}

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
