import { LostRace } from '../../platform/table/index.ts';

/** Writes, unless another writer was faster and has done it. */
export const unlessBeaten = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof LostRace)) throw error;
  }
};
