import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first; each would lengthen the run if it started late. */
const slowest = [
  'delivery/simulation.test.ts',
  'delivery/killed-runtime.slow.test.ts',
  'browser/pages.test.ts',
  'service/token-races.test.ts',
  'delivery/simulated-wakeups.test.ts',
  'delivery/hung-endpoint.slow.test.ts',
  'service/npm-start.test.ts',
  'commerce/cart-model.test.ts',
  'commerce/order-model.test.ts',
  'properties/round-trip.test.ts',
  'properties/invalid-bodies.test.ts',
];

const projects = ['simulation', 'process', 'worker', 'worker-sweeping', 'unit'];

/** Position of a file: by project, since files of one project share a runtime, then the slowest first. */
function rank({ moduleId, project }: TestSpecification): number {
  const position = slowest.findIndex((name) => moduleId.endsWith(name));
  return projects.indexOf(project.name) * 1_000 + (position === -1 ? slowest.length : position);
}

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
