import { noticeConflicts } from './conflicts.ts';

/** Before each file, with the modules of its tests; the runner has others. */
noticeConflicts();
