import type { TakenStretch } from '@nightlatch/client';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Place } from '../change/asked.ts';
import { say, sayMonth, sayShortly, sayWeekday } from '../words/index.ts';
import { Bar } from './bar.tsx';
import { useDrag } from './drag.ts';
import { GhostBar, GhostText } from './ghost.tsx';
import { type Home, nameOfEntry } from './homes.ts';
import type { Span } from './place.ts';
import {
  dateAt,
  dayOf,
  headHeight,
  leftOf,
  nameWidth,
  rowHeight,
  type Scale,
  type Sight,
  sightOf,
} from './scale.ts';

interface GridProps {
  homes: readonly Home[];
  scale: Scale;
  /** The local time of the homes now. */
  now: string;
  /** Scrolled to whenever it is another object. */
  shown: { date: string };
  onSight: (sight: Sight) => void;
  onPick: (picked: Picked) => void;
  /** A stay was moved to other days or to another home. */
  onMove: (bookingId: number, to: Partial<Place>) => void;
}

/** Nights of a home, a block, or what a followed calendar has made. */
export type Picked =
  | { kind: 'NIGHT' | 'BLOCK'; listing_id: number; date: string; to?: string }
  | { kind: 'IMPORTED'; availability_id: number };

/** Homes down, time across. Rows and days that are out of sight are no nodes. */
export const Grid = ({ homes, scale, now, shown, onSight, onPick, onMove }: GridProps) => {
  const place = useRef<HTMLDivElement>(null);
  const { sight, look } = useSight(place, { homes, scale, shown, onSight });
  const listingOf = ({ row }: Span): number => homes[row]?.listing_id ?? 0;
  const ghost = useDrag({
    ...{ place, scale, homes },
    onStay: (bookingId, span) =>
      onMove(bookingId, {
        listing: String(listingOf(span)),
        from: dateAt(scale, span.day),
        to: dateAt(scale, span.day + span.nights),
      }),
    onNights: (span) =>
      onPick({
        ...{ kind: 'NIGHT', listing_id: listingOf(span), date: dateAt(scale, span.day) },
        to: dateAt(scale, span.day + span.nights - 1),
      }),
  });
  const days = Array.from({ length: sight.lastDay - sight.firstDay }, (_, at) =>
    dateAt(scale, sight.firstDay + at),
  );
  const names = new Map(homes.map((home) => [home.listing_id, home.listing_name]));
  const size = {
    width: `${nameWidth + scale.days * scale.dayWidth}px`,
    height: `${headHeight + homes.length * rowHeight}px`,
  };
  return (
    <>
      <div class="chart" ref={place} onScroll={look} tabIndex={0} role="region" aria-label={say('homes')}>
        <div class="chart-size" style={size}>
          <Head {...{ days, scale }} month={sayMonth(days[1] ?? now.slice(0, 10))} today={now.slice(0, 10)} />
          {homes.slice(sight.firstRow, sight.lastRow).map((home, at) => (
            <Row
              key={home.listing_id}
              {...{ home, scale, sight, days }}
              top={headHeight + (sight.firstRow + at) * rowHeight}
              nameOfHome={(id) => names.get(id) ?? ''}
              onPick={onPick}
            />
          ))}
          <GhostBar {...{ ghost, scale }} />
          <div class="now" style={{ left: `${nameWidth + leftOf(scale, now)}px` }} />
        </div>
      </div>
      <GhostText {...{ ghost, homes, scale }} />
    </>
  );
};

/** Scrolls to what is to be shown, and says what is in sight. */
const useSight = (
  place: RefObject<HTMLDivElement | null>,
  { homes, scale, shown, onSight }: Pick<GridProps, 'homes' | 'scale' | 'shown' | 'onSight'>,
) => {
  const [sight, setSight] = useState<Sight>({ firstDay: 0, lastDay: 0, firstRow: 0, lastRow: 0 });
  // Behind a booking on a telephone it has no size, and forgets where it was.
  const last = useRef<{ isHidden: boolean; top: number; left: number }>({ isHidden: false, top: 0, left: 0 });
  const look = (): void => {
    const chart = place.current;
    if (!chart) return;
    const { isHidden, top, left } = last.current;
    if (chart.clientWidth === 0) {
      last.current = { isHidden: true, top, left };
      return;
    }
    if (isHidden) {
      chart.scrollTop = top;
      chart.scrollLeft = left;
    }
    last.current = { isHidden: false, top: chart.scrollTop, left: chart.scrollLeft };
    const next = sightOf(scale, homes.length, chart);
    if (Object.entries(next).some(([name, value]) => sight[name as keyof Sight] !== value)) {
      setSight(next);
      onSight(next);
    }
  };
  useLayoutEffect(() => {
    if (place.current) place.current.scrollLeft = leftOf(scale, shown.date);
  }, [scale, shown]);
  useEffect(() => {
    look();
    const watcher = new ResizeObserver(look);
    if (place.current) watcher.observe(place.current);
    return () => watcher.disconnect();
  });
  return { sight, look };
};

interface HeadProps {
  days: readonly string[];
  /** Of the first day in sight. */
  month: string;
  scale: Scale;
  today: string;
}

const Head = ({ days, month, scale, today }: HeadProps) => (
  <div class="chart-head">
    <span class="corner">{month}</span>
    {days.map((date) => (
      <span
        key={date}
        class={`day ${date === today ? 'today-head' : ''} ${scale.dayWidth > 200 ? 'wide' : ''}`}
        style={{ left: `${nameWidth + leftOf(scale, date)}px`, width: `${scale.dayWidth}px` }}
      >
        <small>{sayWeekday(date)}</small>
        <b>{Number(date.slice(8))}</b>
        {scale.dayWidth > 200 && <Hours scale={scale} />}
      </span>
    ))}
  </div>
);

const Hours = ({ scale }: { scale: Scale }) => (
  <>
    {[6, 12, 18].map((hour) => (
      <small key={hour} class="hour" style={{ left: `${(hour * scale.dayWidth) / 24}px` }}>
        {hour}:00
      </small>
    ))}
  </>
);

interface RowProps {
  home: Home;
  scale: Scale;
  sight: Sight;
  days: readonly string[];
  top: number;
  nameOfHome: (id: number) => string;
  onPick: GridProps['onPick'];
}

const Row = ({ home, scale, sight, days, top, nameOfHome, onPick }: RowProps) => {
  const first = dateAt(scale, sight.firstDay);
  const last = dateAt(scale, sight.lastDay);
  const inSight = home.entries.filter(({ start_at, end_at }) => end_at > first && start_at < last);
  const nights = home.nights.filter(({ date }) => days.includes(date));
  return (
    <div class="chart-row" style={{ top: `${top}px` }} role="group" aria-label={home.listing_name}>
      <span class={home.isPart ? 'home part' : 'home'} title={home.listing_name}>
        {home.listing_name}
      </span>
      <div class="time" style={{ backgroundSize: `${scale.dayWidth}px 100%` }}>
        {scale.dayWidth < 200 &&
          nights.map((night) => (
            <Night
              key={night.date}
              {...{ night, scale }}
              onPick={() => onPick({ kind: 'NIGHT', listing_id: home.listing_id, date: night.date })}
            />
          ))}
        {inSight.map((entry) => (
          <Bar
            key={nameOfEntry(entry)}
            {...{ entry, scale, nameOfHome }}
            onOpen={() => onPick(pickOf(home.listing_id, entry))}
            zone={home.timezone}
            sightLeft={(sight.firstDay + 1) * scale.dayWidth}
          />
        ))}
      </div>
    </div>
  );
};

const pickOf = (listing_id: number, { kind, availability_id, start_at }: TakenStretch): Picked =>
  kind === 'IMPORTED'
    ? { kind, availability_id: availability_id ?? 0 }
    : { kind: 'BLOCK', listing_id, date: start_at.slice(0, 10) };

interface NightProps {
  night: Home['nights'][number];
  scale: Scale;
  onPick: () => void;
}

/** A free night. The button above the chart does the same from the keyboard. */
const Night = ({ night, scale, onPick }: NightProps) => {
  const { date, price, min_nights, closed, closed_to_arrival } = night;
  const rules = [
    closed ? say('closedNight') : '',
    closed_to_arrival ? say('closedToArrival') : '',
    min_nights > 1 ? say('minNights', { count: min_nights }) : '',
  ].filter((text) => text !== '');
  return (
    <span
      class={closed ? 'night closed' : 'night'}
      onClick={onPick}
      title={rules.join(', ')}
      style={{ left: `${dayOf(scale, date) * scale.dayWidth}px`, width: `${scale.dayWidth}px` }}
    >
      {closed ? '×' : sayShortly(price)}
      {rules.length > 0 && !closed && <small>{closed_to_arrival ? '⊘' : `≥${min_nights}`}</small>}
    </span>
  );
};
