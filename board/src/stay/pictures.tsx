import { useState } from 'preact/hooks';
import { say } from './words/index.ts';

/** Where a picture may be: an address that a host has written. */
const isPicture = (url: string | undefined): url is string => url !== undefined && /^https?:\/\//.test(url);

/** A picture of a home, or its place where there is none. */
export const Picture = ({ url, alt = '' }: { url: string | undefined; alt?: string }) => {
  const [isBroken, setBroken] = useState(false);
  return isPicture(url) && !isBroken ? (
    <img
      {...{ src: url, alt, loading: 'lazy', decoding: 'async', referrerPolicy: 'no-referrer' }}
      onError={() => setBroken(true)}
    />
  ) : (
    <span class="no-picture" aria-hidden="true">
      ⌂
    </span>
  );
};

/** All pictures of a home, side by side: a swipe, or the arrow keys, show further ones. */
export const Pictures = ({ name, urls }: { name: string; urls: readonly string[] }) => {
  const shown = urls.filter(isPicture);
  if (shown.length === 0) return null;
  return (
    <div class="pictures" tabIndex={0} role="group" aria-label={say('pictures')}>
      {shown.map((url, at) => (
        <Picture key={url} url={url} alt={say('picture', { name, at: at + 1, count: shown.length })} />
      ))}
    </div>
  );
};
