import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Node } from 'constructs';
import type { AllowedOrigins } from '../../shared/platform/http/cors.ts';
import { projectRoot } from '../bundling.ts';
import { readStageFile, StageFile } from './stage-file.ts';
import { checkLock, type StageLock } from './stage-lock.ts';
import { tableNameOf } from './table-generation.ts';

/** A deployment: its file and what follows from it. */
export interface Stage extends StageFile {
  name: string;
  release: StageFile['release'] & { pace: 'gradual' | 'at_once' };
  keepsData: boolean;
  tableName: string;
  removalPolicy: RemovalPolicy;
  waf: boolean;
  /** The browser origins that may call customer and public routes (D99). */
  origins: AllowedOrigins;
  /** Its functions are invoked with `sam local invoke` beside the local service, and never deployed. */
  isLocal: boolean;
}

/** Returns the stage of a file. Throws if its restored table is that of another stage or generation. */
export const stageFrom = (name: string, file: StageFile): Stage => {
  const { generation, stream_arn } = file.table;
  const tableName = tableNameOf(name, generation);
  if (stream_arn !== undefined && !stream_arn.includes(`:table/${tableName}/stream/`))
    throw new Error(
      `stages/${name}.json: table.stream_arn is not of ${tableName}, the table of generation ${generation}: write both as \`operator restore start\` prints them.`,
    );
  return {
    ...file,
    name,
    keepsData: !file.disposable,
    tableName,
    waf: file.waf ?? !file.disposable,
    release: { ...file.release, pace: file.release.pace ?? (file.disposable ? 'at_once' : 'gradual') },
    removalPolicy: file.disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    origins: { listed: [...new Set([...file.cors_origins, ...boardOrigin(file)])], loopback: false },
    isLocal: name === 'local',
  };
};

const boardOrigin = ({ board }: StageFile): string[] => (board ? [`https://${board.name}`] : []);

/** The folder of the stage files. */
export const stageFolder = join(projectRoot, 'stages');

/** Reads `stages/<name>.json` and its lock. */
export const readStage = (
  name: string,
  folder: string = stageFolder,
): { file: StageFile; lock: StageLock | undefined } => {
  if (!/^[a-z][a-z0-9]{1,15}$/.test(name))
    throw new Error(`A stage is 2 to 16 small letters and digits, not "${name}".`);
  const path = join(folder, `${name}.json`);
  if (!existsSync(path)) {
    const names = readdirSync(folder).flatMap(
      (entry) => /^([a-z][a-z0-9]{1,15})\.json$/.exec(entry)?.[1] ?? [],
    );
    const known = names.filter((one) => one !== 'schema');
    throw new Error(
      `There is no stages/${name}.json. There are ${known.join(', ')}: choose one with \`-c stage=\`, or copy one.`,
    );
  }
  const lockPath = join(folder, `${name}.lock.json`);
  return {
    file: readStageFile(`stages/${name}.json`, readFileSync(path, 'utf8')),
    lock: existsSync(lockPath) ? (JSON.parse(readFileSync(lockPath, 'utf8')) as StageLock) : undefined,
  };
};

/** Returns the stage of `-c stage=staging`, default `dev`. Throws if its file is wrong, or lacks what its lock has. */
export const stageOf = (node: Node, folder?: string): Stage => {
  const name = String(node.tryGetContext('stage') ?? 'dev');
  for (const field of Object.keys(StageFile.shape))
    if (node.tryGetContext(field) !== undefined)
      throw new Error(
        `\`-c ${field}=…\` is not used: write ${field} into stages/${name}.json, so that every deployment has it.`,
      );
  const { file, lock } = readStage(name, folder);
  checkLock(name, file, lock);
  return stageFrom(name, file);
};

/** Returns the name of a resource of a stage: `nightlatch-dev`, `nightlatch-dev-chat`. */
export const resourceName = (stage: Stage, what?: string): string =>
  what === undefined ? `nightlatch-${stage.name}` : `nightlatch-${stage.name}-${what}`;
