import { useEffect, useRef } from 'preact/hooks';
import { leftAt, route } from './route.ts';

/** What opens beside a list, and on a telephone in its place; returns where its heading is. */
export const usePane = () => {
  const title = useRef<HTMLHeadingElement>(null);
  const before = useRef(leftAt()).current;
  const { page } = useRef(route.value).current;
  useEffect(() => {
    // On a telephone it takes the place of the lists, which are found again where they were left.
    const isAlone = matchMedia('(max-width: 54.99rem)').matches;
    if (isAlone) scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
    return () => {
      if (isAlone) requestAnimationFrame(() => route.value.page === page && scrollTo(0, before));
    };
  }, []);
  return title;
};
