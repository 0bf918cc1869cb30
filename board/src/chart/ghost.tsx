import type { Signal } from '@preact/signals';
import { say, sayDate, sayNights } from '../words/index.ts';
import type { Ghost } from './dragged.ts';
import type { Home } from './homes.ts';
import { dateAt, headHeight, nameWidth, rowHeight, type Scale } from './scale.ts';

interface GhostProps {
  ghost: Signal<Ghost | undefined>;
  scale: Scale;
}

/** Where a stay would be, or which nights are chosen. */
export const GhostBar = ({ ghost, scale: { dayWidth } }: GhostProps) => {
  const now = ghost.value;
  if (!now) return null;
  // A stay is from afternoon to noon.
  const half = now.bookingId === undefined || now.nights === 0 ? 0 : dayWidth / 2;
  return (
    <div
      class="ghost"
      style={{
        left: `${nameWidth + now.day * dayWidth + half}px`,
        top: `${headHeight + now.row * rowHeight + 3}px`,
        width: `${Math.max(1, now.nights) * dayWidth}px`,
      }}
    />
  );
};

/** The same in words. */
export const GhostText = ({ ghost, scale, homes }: GhostProps & { homes: readonly Home[] }) => (
  <>
    <p id="drag-hint" hidden>
      {say('dragHint')}
    </p>
    <p class="ghost-text" role="status">
      {ghost.value && sayGhost(ghost.value, homes, scale)}
    </p>
  </>
);

const sayGhost = ({ row, day, nights, bookingId }: Ghost, homes: readonly Home[], scale: Scale): string => {
  const last = bookingId === undefined ? nights - 1 : nights;
  const dates = `${sayDate(dateAt(scale, day))} – ${sayDate(dateAt(scale, day + last))}`;
  return [homes[row]?.listing_name, dates, nights > 0 ? sayNights(nights) : '']
    .filter((text) => text)
    .join(', ');
};
