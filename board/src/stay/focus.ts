import { useEffect, useRef } from 'preact/hooks';
import { place } from './place.tsx';

/** Another page begins at its top, and a screen reader at its name. */
export const useFocus = () => {
  const main = useRef<HTMLElement>(null);
  const { view, id } = place.value;
  const shown = `${view} ${id ?? ''}`;
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    const head = main.current?.querySelector<HTMLElement>('h1');
    head?.focus({ preventScroll: true });
    head?.scrollIntoView({ block: 'center' });
  }, [shown]);
  return main;
};
