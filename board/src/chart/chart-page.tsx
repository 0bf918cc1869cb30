import { useMemo, useState } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import { type Reading, useReading } from '../data/reading.ts';
import { NightsDialog } from '../nights/nights-dialog.tsx';
import { ReadingState } from '../parts/reading-state.tsx';
import { say } from '../words/index.ts';
import { Grid } from './grid.tsx';
import { inFamilies, joined, readHomes } from './homes.ts';
import { dateAt, dayOf, type Scale, scaleOf, type Sight, type Zoom, zooms } from './scale.ts';

/** Days that are read together; no more than that are in sight at once. */
const windowDays = 31;

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
  const one = useWindow(scale, ends[0]);
  const other = useWindow(scale, ends[1]);
  const homes = useMemo(() => inFamilies(joined(one.data, other.data)), [one.data, other.data]);
  const [picked, setPicked] = useState<Picked | undefined>(undefined);
  const [first] = homes.map(({ listing_id, timezone }) => ({ listing_id, timezone }));
  return (
    <section class="chart-page" aria-labelledby="calendar">
      <Controls
        {...{ zoom, setZoom, shown, show, today }}
        onBook={
          first &&
          (() =>
            setPicked({
              ...first,
              date:
                [shown.date, Temporal.Now.plainDateISO(first.timezone).toString()].toSorted().at(-1) ?? today,
              deed: 'BOOK',
            }))
        }
      />
      {picked && <NightsDialog {...{ homes }} start={picked} onClose={() => setPicked(undefined)} />}
      <ReadingState reading={one.error === undefined ? other : one} />
      {one.data?.length === 0 && <p class="quiet">{say('noHomes')}</p>}
      {homes.length > 0 && (
        <Grid
          {...{ homes, scale, shown }}
          now={Temporal.Now.plainDateTimeISO(first?.timezone).toString().slice(0, 19)}
          onPick={(listing_id, date, kind) =>
            setPicked({ listing_id, date, deed: kind === 'BLOCK' ? 'OPEN' : 'BOOK' })
          }
          onSight={({ firstDay, lastDay }: Sight) => setEnds([firstDay, lastDay - 1])}
        />
      )}
    </section>
  );
};

type Picked = Parameters<typeof NightsDialog>[0]['start'];

type Homes = Awaited<ReturnType<typeof readHomes>>;

/** Reads the window that a day is in. */
const useWindow = (scale: Scale, day: number): Reading<Homes> => {
  const first = Math.floor(day / windowDays) * windowDays;
  const [from, to] = [dateAt(scale, first), dateAt(scale, first + windowDays - 1)];
  return useReading(`calendar ${from}`, () => readHomes(from, to));
};

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
