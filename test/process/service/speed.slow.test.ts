import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compareVersions } from '../../bench/compare/compare.ts';

/** The greatest part of its speed that a load may lose against the last release. */
const allowedLoss = 0.05;

const git = (...parts: string[]) =>
  execFileSync('git', parts, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/**
 * The commit of the latest tag `v...`, else that of `last-release.txt`; `undefined` if this clone
 * lacks it.
 */
function lastRelease(): string | undefined {
  let commit = readFileSync('test/bench/compare/last-release.txt', 'utf8').trim();
  try {
    commit = git('describe', '--tags', '--match', 'v*', '--abbrev=0');
  } catch {
    // No tag in this clone.
  }
  try {
    return git('rev-parse', '--verify', `${commit}^{commit}`);
  } catch {
    console.warn(
      `Not compared: the last release, ${commit}, is not in this clone (git fetch --unshallow).`,
    );
    return undefined;
  }
}

const release = lastRelease();

it.skipIf(release === undefined)(
  'reads and writes lose at most 5 % of their speed against the last release, by CPU time of the Worker',
  { timeout: 600_000 },
  async () => {
    // A third of the pairs is enough for a load whose median lost nothing; any other gets more of
    // them.
    const comparisons = await compareVersions(release ?? '', undefined, 30, (cpu) => cpu >= 1);
    // Other work of a busy machine moves the median by some percent, so a loss must also show in
    // three quarters of the pairs.
    const slower = comparisons.filter(
      ({ cpu, quartiles: [, high] }) => cpu < 1 - allowedLoss && high < 1,
    );
    expect(slower).toEqual([]);
  },
);
