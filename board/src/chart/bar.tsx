import { useMemo } from 'preact/hooks';
import type { TakenStretch } from '@nightlatch/client';
import { bookingLink, route } from '../parts/route.ts';
import { language, say, sayLocal, sayMoney, sayName } from '../words/index.ts';
import { labelOf } from './label.ts';
import { leftOf, type Scale } from './scale.ts';

interface BarProps {
  entry: TakenStretch;
  scale: Scale;
  /** Of the home. */
  zone: string;
  /** Where the visible part begins: a name stays in sight while its stay is. */
  sightLeft: number;
  nameOfHome: (id: number) => string;
  /** Of a block, or of what a followed calendar has made. */
  onOpen: () => void;
}

/** What takes time of a home. A stay opens its booking. */
export const Bar = ({ entry, scale, zone, sightLeft, nameOfHome, onOpen }: BarProps) => {
  const { kind, booking_id: booking, start_at: start, end_at: end, state } = entry;
  const left = leftOf(scale, start);
  const width = leftOf(scale, end) - left;
  const label = labelOf(entry, nameOfHome);
  const facts = useMemo(() => factsOf(entry, zone, label), [entry, zone, label, language.value]);
  const look = {
    class: `bar kind-${kind.toLowerCase()} state-${state.toLowerCase()}`,
    title: facts,
    style: { left: `${left}px`, width: `${width}px`, paddingLeft: `${Math.max(0, sightLeft - left) + 6}px` },
  };
  if (kind === 'BLOCK' || (kind === 'IMPORTED' && entry.availability_id !== null))
    return (
      <button type="button" {...look} aria-label={facts} onClick={onOpen}>
        {label}
      </button>
    );
  if (booking === null || kind !== 'STAY') return <span {...look}>{label}</span>;
  return (
    <a
      {...look}
      href={bookingLink(booking)}
      draggable={false}
      data-booking={booking}
      aria-label={facts}
      aria-describedby="drag-hint"
      aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown"
      aria-current={route.value.booking === booking ? 'true' : undefined}
    >
      {label}
    </a>
  );
};

/** All that a bar says, for its tooltip and for screen readers. Dates are expensive to write, so it is kept while the entry is. */
const factsOf = (entry: TakenStretch, zone: string, label: string): string => {
  const { kind, state, source, payment, start_at: start, end_at: end } = entry;
  return [
    label,
    `${sayLocal(start, zone)} – ${sayLocal(end, zone)}`,
    kind === 'STAY' ? sayName(state, 'state_') : '',
    source ?? '',
    payment && payment.due > 0 ? say('due', { amount: sayMoney(payment.due, payment.currency) }) : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
};
