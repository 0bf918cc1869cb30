/** Seeds listings in a process of its own. */
import { dependenciesFrom } from '../../shared/platform/environment.ts';
import { answerCalls } from './processes.ts';
import { seedListings, type SeedOptions } from './seed.ts';

export interface SeedCalls {
  /** Writes into the table of the settings; returns the ids of the listings. */
  seedTable: (what: { settings: Record<string, string>; options: SeedOptions }) => Promise<number[]>;
  [name: string]: (argument: never) => unknown;
}

answerCalls({
  seedTable: async ({ settings, options }) => {
    Object.assign(process.env, settings);
    return seedListings(dependenciesFrom(process.env), options);
  },
} satisfies SeedCalls);
