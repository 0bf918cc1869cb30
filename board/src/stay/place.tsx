import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { hashOf, type Place, readPlace, type View, type Wish } from './address.ts';
import { isEmbedded, pageKey, stayUrl } from './service.ts';

/** What is shown. */
export const place = signal<Place>({ view: 'search', guests: 2, services: [] });

/** Follows the address of the page; on a page of the host the address is the host's. */
export const followAddress = (): void => {
  const read = (): void => void (place.value = readPlace(location.hash));
  read();
  addEventListener('hashchange', read);
};

/** Another page with what was chosen. */
const withChoice = (to: Partial<Place>): Place => {
  const { id: _, isNew: _new, ...kept } = place.value;
  return { ...kept, ...to };
};

/** Leads to another page; with `isInstead` going back does not lead to the one of before. */
export const go = (to: Partial<Place>, { isInstead = false } = {}): void => {
  if (isEmbedded()) place.value = withChoice(to);
  else if (isInstead) location.replace(hashOf(withChoice(to), pageKey()));
  else location.hash = hashOf(withChoice(to), pageKey());
};

/** Another choice on the same page: going back does not lead through each. */
export const choose = (wish: Partial<Wish>): void => {
  place.value = { ...place.value, ...wish };
  if (!isEmbedded()) history.replaceState(null, '', hashOf(place.value, pageKey()));
};

interface LinkProps {
  to: Partial<Place> & { view: View };
  class?: string;
  children: ComponentChildren;
  label?: string;
  'aria-current'?: 'page' | undefined;
}

/** A link of the page. On a page of the host it opens in place; bookings are at the page for guests alone. */
export const Link = ({ to, children, label, ...rest }: LinkProps) => {
  const isInPlace = isEmbedded() && (to.view === 'search' || to.view === 'home');
  return (
    <a
      {...rest}
      href={stayUrl() + hashOf(withChoice(to), pageKey())}
      aria-label={label}
      {...(isEmbedded() && !isInPlace ? { target: '_top' } : {})}
      onClick={(event) => {
        if (!isInPlace || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
};
