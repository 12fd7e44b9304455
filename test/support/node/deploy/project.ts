import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDeployment } from '../../../../src/platform/deploy/deployment-file.ts';
import { readLocalConfig } from '../../../../src/platform/deploy/local-config.ts';
import { checkDeployment, deploy } from '../../../../src/platform/deploy/run-deployment.ts';
import { createRun, type RunEnds } from '../../../../src/platform/deploy/step.ts';
import type { FakeCloudflare, Loss } from './fake-cloudflare.ts';
import { deploymentFile, projectRoot } from './production-config.ts';

const local = readLocalConfig(projectRoot);

/** A project with one source file, and what deploys it. Bindings are those of the real wrangler.toml. */
export class DeployProject {
  readonly root = mkdtempSync(join(tmpdir(), 'deploy-project-'));
  readonly deploymentFile = join(this.root, 'deployment.json');
  readonly secretsFile = join(this.root, 'deployment.secrets.json');
  readonly stateFile = join(this.root, '.wrangler/deploy', deploymentFile.name, 'state.json');
  /** The printed text of all runs. */
  output = '';

  constructor() {
    mkdirSync(join(this.root, 'src'));
    writeFileSync(join(this.root, 'package-lock.json'), '{}');
    this.changeSource('export default {};');
    this.changeDeployment({});
  }

  changeSource(text: string) {
    writeFileSync(join(this.root, 'src/index.ts'), text);
  }

  changeDeployment(change: object) {
    writeFileSync(this.deploymentFile, JSON.stringify({ ...deploymentFile, ...change }));
  }

  createRun(ends: RunEnds) {
    const print = (line: string) => {
      this.output += `${line}\n`;
    };
    const deployment = readDeployment(this.deploymentFile);
    const { root, deploymentFile: path } = this;
    const ready = { timeoutMs: 30, pauseMs: 1 };
    return createRun({ root, deploymentFile: path, deployment, local, print }, { ready, ...ends });
  }

  /** Runs `npm run deploy` against an account, which may lose the network once. */
  async deploy(cloudflare: FakeCloudflare, loss?: Loss, ends: RunEnds = {}): Promise<void> {
    cloudflare.calls = [];
    cloudflare.loss = loss;
    const { execute, fetch } = cloudflare;
    const run = this.createRun({ execute, fetch, ...ends });
    checkDeployment(run);
    await deploy(run);
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}
