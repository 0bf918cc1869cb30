import { noticeConflicts } from './conflicts.ts';
import { useMemory } from './memory.ts';

/** Before each file, with the modules of its tests; the runner has others. */
useMemory();
noticeConflicts();
