import { useEffect, useRef } from 'preact/hooks';

/** What opens beside a list, and on a telephone in its place; returns where its heading is. */
export const usePane = () => {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = scrollY;
    // On a telephone it takes the place of the lists, which are found again where they were left.
    const isAlone = matchMedia('(max-width: 54.99rem)').matches;
    if (isAlone) scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
    return () => {
      if (isAlone) requestAnimationFrame(() => scrollTo(0, before));
    };
  }, []);
  return title;
};
