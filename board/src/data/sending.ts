import type { Draft } from './drafts.ts';
import { noteEnd, refreshShown } from './reading.ts';
import { useSendingOf } from './sending-of.ts';

/** Sends what a draft intends, and shows what has come of it. */
export const useSending = (draft: Draft) => useSendingOf(draft, { noteEnd, refresh: refreshShown });
