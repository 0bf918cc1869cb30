import { ConflictError } from '../../platform/table/index.ts';

/** Writes, unless another writer was faster and has done it. */
export const ignoreConflict = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};
