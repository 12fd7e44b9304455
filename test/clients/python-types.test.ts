import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstProgramOf } from '../support/node/client/first-program.ts';
import { buildPackage } from '../support/node/client/packages.ts';

const checker = resolve('test/clients/node_modules/pyright/index.js');
const project = mkdtempSync(join(tmpdir(), 'store-api-python-types-'));

beforeAll(async () => {
  const code = 'online_store_administration';
  cpSync(join(await buildPackage('python'), code), join(project, code), { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true }));

/** Returns the errors and warnings that Pyright reports, with their places. */
function errorsOfTypes(): string[] {
  let report: string;
  try {
    report = execFileSync(process.execPath, [checker, '--outputjson'], {
      cwd: project,
      encoding: 'utf8',
    });
  } catch (error) {
    report = (error as { stdout: string }).stdout;
  }
  const { generalDiagnostics, summary } = JSON.parse(report) as {
    generalDiagnostics: {
      file: string;
      message: string;
      range: { start: { line: number } };
    }[];
    summary: { filesAnalyzed: number };
  };
  expect(summary.filesAnalyzed).toBeGreaterThan(4);
  return generalDiagnostics.map(
    ({ file, message, range }) =>
      `${file.slice(project.length)}:${range.start.line + 1} ${message}`,
  );
}

it('the types of the Python package fit, also the first program of its README and each use of them', () => {
  cpSync(join(import.meta.dirname, 'python_usage.py'), join(project, 'usage.py'));
  writeFileSync(join(project, 'readme.py'), firstProgramOf('src/client/python/package-readme.md'));
  writeFileSync(
    join(project, 'pyrightconfig.json'),
    JSON.stringify({
      include: ['*.py', 'online_store_administration/*.pyi'],
      pythonVersion: '3.9',
      reportUnnecessaryTypeIgnoreComment: 'error',
      reportMissingModuleSource: 'none',
    }),
  );
  expect(errorsOfTypes()).toEqual([]);
});
