import { signal } from '@preact/signals';

interface Notice {
  text: string;
  /** Undoes what was done. */
  undo?: () => Promise<void>;
}

/** What was done last, shown for some seconds. */
export const notice = signal<Notice | undefined>(undefined);

const shownMs = 8_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export const notify = (shown: Notice): void => {
  clearTimeout(timer);
  notice.value = shown;
  timer = setTimeout(() => (notice.value = undefined), shownMs);
};
