import type { en } from './en.ts';

/** Every sentence has one of these names in each language. */
export type Sentence = keyof typeof en;
