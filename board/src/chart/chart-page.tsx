import type { ListingCalendar } from '@nightlatch/client';
import { useMemo, useRef, useState } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import { AdoptDialog } from '../adopt/adopt-dialog.tsx';
import { openChange } from '../change/changing.ts';
import type { Deed } from '../nights/deeds.ts';
import { NightsDialog } from '../nights/nights-dialog.tsx';
import { ReadingState } from '../parts/reading-state.tsx';
import { say } from '../words/index.ts';
import { Grid, type Picked } from './grid.tsx';
import { useHomesAt } from './homes-at.ts';
import { inFamilies, joined } from './homes.ts';
import { dateAt, dayOf, type Scale, scaleOf, type Sight, type Zoom, zooms } from './scale.ts';

/** Homes down, days or hours across: stays, holds, blocks, and the prices of free nights. */
export const ChartPage = () => {
  const today = Temporal.Now.plainDateISO().toString();
  const [zoom, setZoom] = useState<Zoom>('days');
  const [shown, setShown] = useState({
    date: Temporal.PlainDate.from(today).subtract({ days: 1 }).toString(),
  });
  const show = (date: string): void => setShown({ date });
  const scale = useMemo(() => scaleOf(today, zoom), [today, zoom]);
  const [ends, setEnds] = useState<readonly [number, number]>([
    dayOf(scale, shown.date),
    dayOf(scale, shown.date),
  ]);
  const { homes, ...reading } = useHomesBetween(scale, ends);
  const [picked, setPicked] = useState<Picked | undefined>(undefined);
  const close = (): void => setPicked(undefined);
  const [first] = homes.map(({ listing_id, timezone }) => ({ listing_id, timezone }));
  return (
    <section class="chart-page" aria-labelledby="calendar">
      <Controls
        {...{ zoom, setZoom, shown, show, today }}
        onBook={
          first &&
          (() =>
            setPicked({
              kind: 'NIGHT',
              listing_id: first.listing_id,
              date:
                [shown.date, Temporal.Now.plainDateISO(first.timezone).toString()].toSorted().at(-1) ?? today,
            }))
        }
      />
      {picked?.kind === 'IMPORTED' && (
        <AdoptDialog {...{ homes }} availabilityId={picked.availability_id} onClose={close} />
      )}
      {picked && picked.kind !== 'IMPORTED' && (
        <NightsDialog {...{ homes, onClose: close }} start={{ ...picked, deed: deedOf(picked) }} />
      )}
      <div class={homes.length > 0 ? 'over-chart' : ''}>
        <ReadingState reading={reading} />
      </div>
      {reading.data?.length === 0 && <p class="quiet">{say('noHomes')}</p>}
      {homes.length > 0 && (
        <Grid
          {...{ homes, scale, shown }}
          now={Temporal.Now.plainDateTimeISO(first?.timezone).toString().slice(0, 19)}
          onPick={setPicked}
          onMove={openChange}
          onSight={({ firstDay, lastDay }: Sight) => setEnds([firstDay, lastDay - 1])}
        />
      )}
    </section>
  );
};

/** The homes with what the days from one to another have, and how their reading went. */
const useHomesBetween = (scale: Scale, [first, last]: readonly [number, number]) => {
  const one = useHomesAt(dateAt(scale, first));
  // A large screen shows more days than are read together.
  const middle = useHomesAt(dateAt(scale, Math.floor((first + last) / 2)));
  const other = useHomesAt(dateAt(scale, last));
  const found = useMemo(() => {
    const read = [...new Set([one.data, middle.data, other.data])];
    return inFamilies(read.reduce<ListingCalendar[]>((all, next) => joined(all, next), []));
  }, [one.data, middle.data, other.data]);
  // Far away nothing is read yet: the homes stay, or the chart would begin anew at its first day.
  const known = useRef(found);
  if (found.length > 0 || one.data) known.current = found;
  return { ...([one, middle].find(({ error }) => error !== undefined) ?? other), homes: known.current };
};

/** What is usual for it. */
const deedOf = ({ kind }: Picked): Deed => (kind === 'BLOCK' ? 'OPEN' : 'BOOK');

interface ControlsProps {
  zoom: Zoom;
  setZoom: (zoom: Zoom) => void;
  shown: { date: string };
  show: (date: string) => void;
  today: string;
  /** Absent while there is no home. */
  onBook: (() => void) | undefined;
}

const Controls = ({ zoom, setZoom, shown, show, today, onBook }: ControlsProps) => (
  <div class="chart-bar">
    <h1 id="calendar">{say('calendar')}</h1>
    <button type="button" onClick={() => show(today)}>
      {say('today')}
    </button>
    <label>
      <span>{say('goTo')}</span>
      <input
        type="date"
        value={shown.date}
        onChange={({ currentTarget: { value } }) => value !== '' && show(value)}
      />
    </label>
    <button type="button" class="primary" disabled={!onBook} onClick={onBook}>
      {say('nightsButton')}
    </button>
    {(Object.keys(zooms) as Zoom[]).map((name) => (
      <button key={name} type="button" aria-pressed={zoom === name} onClick={() => setZoom(name)}>
        {say(name)}
      </button>
    ))}
  </div>
);
