import { notify } from '../parts/notice.ts';
import { say } from '../words/index.ts';
import { bookingAt, drop, inRows, mayChange, spanOf, type Tools } from './dragged.ts';
import { dragged, type Place } from './place.ts';

const steps: Readonly<Record<string, Place>> = {
  ArrowLeft: { day: -1, row: 0 },
  ArrowRight: { day: 1, row: 0 },
  ArrowUp: { day: 0, row: -1 },
  ArrowDown: { day: 0, row: 1 },
};

/** Shift and arrows move the stay that has the focus, with Ctrl its end; Enter drops it, Escape lets it be. */
export const listenToKeys = (node: HTMLDivElement, signal: AbortSignal, { ghost, latest }: Tools): void => {
  let allowed: { id: number; isAllowed: Promise<boolean> } | undefined;
  const forget = (): void => {
    allowed = undefined;
    ghost.value = undefined;
  };
  const move = async (id: number, by: Place, isEnd: boolean): Promise<void> => {
    if (allowed?.id !== id) allowed = { id, isAllowed: mayChange(id) };
    const asked = allowed;
    const isAllowed = await asked.isAllowed;
    if (allowed !== asked) return;
    if (!isAllowed) {
      notify({ text: say('stayFixed') });
      return;
    }
    const before = ghost.value?.bookingId === id ? ghost.value : spanOf(id, latest.current);
    if (!before) return;
    const from = { row: before.row, day: 0 };
    const to = inRows({ row: before.row + by.row, day: by.day }, latest.current);
    ghost.value = { ...before, ...dragged(before, isEnd ? 'END' : 'MOVE', from, to) };
    requestAnimationFrame(() =>
      node.querySelector('.ghost')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
  };
  const press = (event: KeyboardEvent): void => {
    const bar = bookingAt(event.target);
    if (!bar) return;
    const id = Number(bar.dataset['booking']);
    const by = event.shiftKey ? steps[event.key] : undefined;
    if (by) {
      event.preventDefault();
      void move(id, by, event.ctrlKey);
    }
    const to = ghost.value;
    if (event.key !== 'Enter' || to?.bookingId !== id) return;
    event.preventDefault();
    forget();
    const span = spanOf(id, latest.current);
    if (span) drop(span, to, latest.current);
  };
  node.addEventListener('keydown', press, { signal });
  node.addEventListener('focusout', forget, { signal });
};
