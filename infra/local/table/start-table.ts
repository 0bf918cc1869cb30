import type { Log } from '../log.ts';
import { openDataFolder } from './data-folder.ts';
import { runEmulator } from './emulator.ts';
import { openTableFile, type TableFile } from './table-file.ts';
import { readLocalEnv } from '../settings.ts';

export interface TableServer {
  endpoint: string;
  /** The emulator's file; absent for another endpoint. */
  file?: TableFile & { path: string };
  /** Returns the process id of the emulator. */
  pid: () => number | undefined;
  stop: () => Promise<void>;
}

/** Returns a DynamoDB endpoint: that of `AWS_ENDPOINT_URL_DYNAMODB`, else a new emulator. */
export const startTable = async ({ dataDir, log }: { dataDir?: string; log: Log }): Promise<TableServer> => {
  const outside = readLocalEnv().AWS_ENDPOINT_URL_DYNAMODB;
  if (outside) return { endpoint: outside, pid: () => undefined, stop: async () => undefined };

  const folder = await openDataFolder(dataDir);
  try {
    const emulator = await runEmulator(folder, log);
    const file = openTableFile(folder.tableFile);
    return {
      endpoint: emulator.endpoint,
      file: { ...file, path: folder.tableFile },
      pid: emulator.pid,
      stop: async () => {
        file.close();
        await emulator.stop();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
};
