import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Whether a part of the page is in sight; what is behind the bar at the lower edge is not. */
export const useSight = (place: RefObject<Element | null>): boolean => {
  const [isIn, setIn] = useState(false);
  useEffect(() => {
    const look = (entries: IntersectionObserverEntry[]) => setIn(entries.at(-1)?.isIntersecting === true);
    const watcher = new IntersectionObserver(look, { rootMargin: '0px 0px -64px 0px' });
    if (place.current) watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  return isIn;
};
