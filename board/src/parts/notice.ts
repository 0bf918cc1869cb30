import { signal } from '@preact/signals';

interface Notice {
  text: string;
  /** Undoes what was done. */
  undo?: () => Promise<void>;
}

/** What was done last, shown for some seconds. */
export const notice = signal<Notice | undefined>(undefined);

const undoMs = 8_000;
const readingMs = { least: 3_000, perCharacter: 80 };
let timer: ReturnType<typeof setTimeout> | undefined;

export const dismiss = (): void => {
  clearTimeout(timer);
  notice.value = undefined;
};

/** Shows a notice for as long as it takes to read it, or to undo what it says. */
export const notify = (shown: Notice): void => {
  dismiss();
  notice.value = shown;
  const { least, perCharacter } = readingMs;
  timer = setTimeout(dismiss, shown.undo ? undoMs : Math.max(least, shown.text.length * perCharacter));
};
