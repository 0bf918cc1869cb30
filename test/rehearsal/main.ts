import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { projectRoot } from '../../infra/bundling.ts';
import type { StageCheck } from '../../infra/operator/stage/check-stage.ts';
import { canaryMetric } from '../../shared/platform/metrics/alarmed-metrics.ts';
import { instantText, machineClock } from '../../shared/platform/time/clock.ts';
import { waitUntil } from '../support/wait-until.ts';
import { checkRules } from './check-rules.ts';
import { canaryAt, copyWith, type Fault, faults, nextRelease } from './copies.ts';
import { bootstrap, deploy, destroy, lintStages, moveTable } from './deploy.ts';
import { type Emulator, startEmulator, tls } from './emulator.ts';
import { errorsIn, functionLogs } from './logs.ts';
import { startNeighbours } from './neighbours.ts';
import { operate, playGuest, playHost, playPartner, playStranger, type House, type Scene } from './play.ts';
import { installTools } from './tools.ts';
import { addCanary, changeStage, lockStage, prepareStage, removeStageFiles, stage } from './stage.ts';

const folder = join(projectRoot, '.local', 'rehearsal');
const port = 4566;

const page: string[] = [];
const say = (line: string): void => {
  console.log(line);
  page.push(line);
};

/** Plays a step. Its error has its name, and what the functions have logged meanwhile. */
const steps =
  (emulator?: Emulator): Scene['step'] =>
  async (what, play) => {
    const start = performance.now();
    const from = machineClock.now();
    const point = emulator?.point() ?? 0;
    try {
      const result = await play();
      say(`ok   ${what} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
      return result;
    } catch (cause) {
      const logged = emulator
        ? [...errorsIn(await functionLogs(from)), ...new Set(emulator.refusalsSince(point))]
        : [];
      throw new Error([`${what}: ${(cause as Error).message}`, ...logged].join('\n'), { cause });
    }
  };

/** Deploys the project, or a copy of it with edits, and returns the address of the API. */
const deployed = async ({ endpoint }: Emulator, root?: string): Promise<string> => {
  const outputs = await deploy(root);
  const { hostname } = new URL(outputs[`nightlatch-${stage}-api`]?.['ApiUrl'] ?? '');
  return `${endpoint}/_aws/execute-api/${hostname.split('.')[0]}/${stage}`;
};

const playAll = async (scene: Scene, house: House): Promise<void> => {
  await scene.step('every rule takes the events of its consumer', checkRules);
  await playStranger(scene);
  await playPartner(scene, house);
  await playGuest(scene, house);
};

/** Looks once a second: asked without a pause, the emulator has no time to serve the canary. */
const canaryRan = async (from: number): Promise<boolean> => {
  await pause(1000);
  const lines = await functionLogs(from);
  return lines.some((line) => line.startsWith('canary: ') && line.includes(`"${canaryMetric}":1`));
};

/** Sets the canary up and deploys it to the stage that is there, until the next deployment. */
const playCanary = async (emulator: Emulator, scene: Scene): Promise<void> => {
  const { step } = scene;
  await step('the operator sets the canary up', async () => {
    const { secret, stage: fields } = await operate(scene, 'canary', 'set-up');
    await addCanary(secret as object, fields as { canary: object });
  });
  const root = copyWith(canaryAt(scene.api));
  const from = machineClock.now();
  await step('the canary is deployed', () => deployed(emulator, root));
  await step('the canary books and cancels by itself', () =>
    waitUntil('a run of it succeeds', () => canaryRan(from), 120_000),
  );
  rmSync(root, { recursive: true });
  changeStage({ canary: undefined });
};

/** Deploys the next release, plays, and goes back to this one. */
const release = async (emulator: Emulator, scene: Scene, house: House): Promise<Scene> => {
  const { step } = scene;
  const root = copyWith(nextRelease);
  const next = { ...scene, api: await step('the next release is deployed', () => deployed(emulator, root)) };
  const from = machineClock.now();
  await playAll(next, house);
  await step('its route, its version and its consumer are there', async () => {
    const { version } = (await (await fetch(`${next.api}/rehearsal`)).json()) as { version: string };
    if (version !== '0.1.1') throw new Error(`version ${version} answers`);
    const isTaken = async () =>
      (await functionLogs(from)).some((line) => /^rehearsal: .*booking.created/.test(line));
    await waitUntil('the new consumer has an event', isTaken);
  });
  rmSync(root, { recursive: true });
  const back = {
    ...scene,
    api: await step('the release before is deployed again', () => deployed(emulator)),
  };
  await playAll(back, house);
  const { status } = await fetch(`${back.api}/rehearsal`);
  if (status !== 404) throw new Error(`/rehearsal answers ${status} after the way back.`);
  return back;
};

/** Makes a stage of it that keeps its data, restores the table, moves the stage to it, and plays. */
const restore = async (emulator: Emulator, scene: Scene, house: House): Promise<void> => {
  const { step } = scene;
  await step('the stage keeps its data', async () => {
    changeStage({ disposable: false });
    lockStage();
    await deployed(emulator);
  });
  const at = instantText(machineClock.now());
  await step('the table is restored', async () => {
    const { put_into_stage_file } = await operate(scene, 'restore', 'start', '--at', at);
    changeStage(put_into_stage_file as object);
    lockStage();
  });
  await step('the stage moves to it', moveTable);
  await step('its events and its search index are written', () => operate(scene, 'restore', 'finish'));
  await playAll(scene, house);
  await step('the stage is disposable again', async () => {
    changeStage({ disposable: true });
    lockStage('--give-up', 'disposable');
    await deployed(emulator);
  });
};

/** Deploys a mistake, and expects that the play fails and names it. */
const find = async (emulator: Emulator, scene: Scene, house: House, fault: Fault): Promise<void> => {
  const root = copyWith(fault.edits);
  try {
    const api = await deployed(emulator, root);
    await (fault.play ?? playAll)({ ...scene, api, step: quiet(scene.step) }, house);
    throw new Error(`Not found: ${fault.what}.`);
  } catch (error) {
    const { message } = error as Error;
    if (!fault.names.test(message)) throw error;
    say(`ok   found: ${fault.what}: ${message.slice(0, 1200)}`);
  } finally {
    rmSync(root, { recursive: true });
  }
};

const quiet =
  (step: Scene['step']): Scene['step'] =>
  async (what, play) => {
    const length = page.length;
    const result = await step(what, play);
    page.length = length;
    return result;
  };

/** Deploys the stage on an emulated AWS and plays it (see the README of this folder). */
const rehearse = async (): Promise<void> => {
  setDefaultCACertificates([...getCACertificates(), tls.cert]);
  mkdirSync(folder, { recursive: true });
  await using stack = new AsyncDisposableStack();
  const programs = await steps()('the tools are installed', () => installTools(folder));
  await steps()('every resource is as its schema says', () => lintStages(programs));
  const emulator = await steps()('the emulator starts', () => startEmulator(programs, folder, port));
  stack.defer(emulator.stop);
  Object.assign(process.env, emulator.environment);
  const step = steps(emulator);
  const neighbours = await step('identity provider and payment gateway start', startNeighbours);
  stack.defer(neighbours.stop);
  stack.defer(removeStageFiles);
  await step('secrets, sender and stage file are made', () => prepareStage(neighbours));
  await step('cdk bootstrap', bootstrap);
  const { checks } = await step('the account has what a deployment needs', () =>
    operate({ ...{ api: '', endpoint: '' }, neighbours, step }, 'stage', 'check'),
  );
  for (const { what, state, to_do } of checks as StageCheck[])
    if (to_do) say(`     ${state} ${what}: ${to_do}`);
  const api = await step('cdk deploy', () => deployed(emulator));
  const scene = { api, endpoint: emulator.endpoint, neighbours, step };
  const house = await playHost(scene);
  await playAll(scene, house);
  await playCanary(emulator, scene);
  const back = await release(emulator, scene, house);
  for (const fault of faults) await find(emulator, back, house, fault);
  await restore(emulator, { ...scene, api: await deployed(emulator) }, house);
  await step('cdk destroy', destroy);
  say(`Recorded without an effect: ${[...new Set(emulator.placeholders())].join(', ')}`);
};

try {
  await rehearse();
} catch (error) {
  say(`FAIL ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  writeFileSync(join(folder, 'page.txt'), `${page.join('\n')}\n`);
}
