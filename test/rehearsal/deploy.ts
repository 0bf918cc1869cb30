import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../infra/bundling.ts';
import { account, region } from './emulator.ts';
import { stage } from './stage.ts';

const run = promisify(execFile);

/** Runs the CDK of a copy of the project. Throws what it has printed, without its progress. */
const cdk = async (root: string, ...given: string[]): Promise<string> => {
  const options = { cwd: root, env: { ...process.env, CI: 'true' }, maxBuffer: 64 * 2 ** 20 };
  try {
    const { stdout } = await run('npx', ['cdk', ...given, '-c', `stage=${stage}`], options);
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    const lines = `${stdout}\n${stderr}`.split('\n');
    const failed = lines.filter((line) => /FAILED|❌|rror/.test(line) && !/success:|start:/.test(line));
    throw new Error(`cdk ${given[0]}: ${failed.slice(0, 20).join('\n')}`, { cause: error });
  }
};

export const bootstrap = (): Promise<string> => cdk(projectRoot, 'bootstrap', `aws://${account}/${region}`);

/** The outputs of the stacks, by stack and name. */
type Outputs = Record<string, Record<string, string>>;

/** Deploys every stack of the stage from the project or a copy of it. */
export const deploy = async (root: string = projectRoot): Promise<Outputs> => {
  const file = join(root, 'cdk.out', 'outputs.json');
  await cdk(root, 'deploy', '--all', '--require-approval', 'never', '--outputs-file', file);
  return JSON.parse(readFileSync(file, 'utf8')) as Outputs;
};

/** Moves the stage to the table that its file names, as docs/operate.md has it. */
export const moveTable = async (): Promise<void> => {
  const stacks = ['api', 'events'].map((what) => `nightlatch-${stage}-${what}`);
  const silent = ['--require-approval', 'never'];
  await cdk(projectRoot, 'deploy', '--exclusively', ...stacks, ...silent);
  await cdk(projectRoot, 'deploy', '--all', '--import-existing-resources', ...silent);
};

export const destroy = (): Promise<string> => cdk(projectRoot, 'destroy', '--all', '--force');
