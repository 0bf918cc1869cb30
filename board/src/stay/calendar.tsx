import type { AvailabilityByDay, DayAvailability } from '@nightlatch/client';
import { useRef, useState } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import { byDate, dayAfter, fits } from './free.ts';
import { choose, place } from './place.tsx';
import { useReading } from './reading.ts';
import { ReadingState } from './reading-state.tsx';
import { homes } from './service.ts';
import { say, sayDate, sayMoney, sayMonth, sayNights, sayShortly, sayWeekday } from './words/index.ts';

const today = (): string => Temporal.Now.plainDateISO().toString();
const firstOf = (date: string): string => `${date.slice(0, 8)}01`;
const monthsLater = (date: string, months: number): string =>
  Temporal.PlainDate.from(firstOf(date)).add({ months }).toString();

/** The free nights of a home around the chosen ones, two months at a time, with a stay chosen by two presses. */
export const Calendar = ({ id, currency }: { id: number; currency: string }) => {
  const { from, to } = place.value;
  const [month, setMonth] = useState(firstOf(from && from > today() ? from : today()));
  const end = dayAfter(monthsLater(month, 2), -1);
  // A stay that is being chosen may begin before the months that are shown. Elsewhere it may still be yesterday.
  const earliest = dayAfter(today(), -1);
  const first = from && !to && from < month ? from : month;
  const start_date = first > earliest ? first : earliest;
  const reading = useReading(`nights ${id} ${month} ${start_date}`, async () => {
    // A stay may end in the month that follows.
    const days = await homes().readStayAvailability({
      listing_id: id,
      start_date,
      end_date: dayAfter(end, 1),
    });
    return days as AvailabilityByDay;
  });
  const days = byDate(reading.data?.items ?? []);
  const press = (date: string): void => {
    if (from && !to && date > from && fits(days, from, date)) choose({ to: date });
    else if (days.get(date)?.can_arrive) choose({ from: date, to: undefined });
  };
  const minNights = (from && !to && days.get(from)?.min_nights) || 1;
  return (
    <section class="calendar">
      <h2>{say('calendar')}</h2>
      <p class="quiet">
        {minNights > 1 && from
          ? say('minNights', { date: sayDate(from), nights: sayNights(minNights) })
          : say('calendarHint')}
      </p>
      <div class="answers">
        <button type="button" disabled={month <= today()} onClick={() => setMonth(monthsLater(month, -1))}>
          {say('earlier')}
        </button>
        <button type="button" onClick={() => setMonth(monthsLater(month, 1))}>
          {say('later')}
        </button>
      </div>
      <ReadingState reading={reading} />
      <div class="months">
        {[month, monthsLater(month, 1)].map((shown) => (
          <Month key={shown} first={shown} {...{ days, currency, press }} />
        ))}
      </div>
    </section>
  );
};

interface MonthProps {
  first: string;
  days: ReadonlyMap<string, DayAvailability>;
  currency: string;
  press: (date: string) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

const Month = ({ first, days, currency, press }: MonthProps) => {
  const [at, setAt] = useState<string>();
  const table = useRef<HTMLTableElement>(null);
  const { dayOfWeek, daysInMonth } = Temporal.PlainDate.from(first);
  const dates = Array.from({ length: daysInMonth }, (_, day) => dayAfter(first, day));
  const cells = [...Array.from({ length: dayOfWeek - 1 }, () => ''), ...dates];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    cells.slice(week * 7, week * 7 + 7),
  );
  const entry = at ?? dates.find((date) => days.get(date)?.can_arrive) ?? dates[0];
  const move = (event: KeyboardEvent, date: string): void => {
    const step = steps[event.key];
    const next = step === undefined ? undefined : dayAfter(date, step);
    if (next === undefined || !dates.includes(next)) return;
    event.preventDefault();
    setAt(next);
    table.current?.querySelector<HTMLButtonElement>(`[data-date="${next}"]`)?.focus();
  };
  return (
    <table ref={table}>
      <caption>{sayMonth(first)}</caption>
      <thead>
        <tr>
          {Array.from({ length: 7 }, (_, day) => (
            <th key={day} scope="col">
              {sayWeekday(dayAfter('2024-01-01', day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, row) => (
          <tr key={row}>
            {week.map((date, column) => (
              <td key={column}>
                {date !== '' && (
                  <Day
                    {...{ date, days, currency, press }}
                    isEntry={date === entry}
                    onMove={(event) => move(event, date)}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

interface DayProps extends Omit<MonthProps, 'first'> {
  date: string;
  isEntry: boolean;
  onMove: (event: KeyboardEvent) => void;
}

const Day = ({ date, days, currency, press, isEntry, onMove }: DayProps) => {
  const { from, to } = place.value;
  const day = days.get(date);
  const isEnd = from !== undefined && !to && date > from && fits(days, from, date);
  const isOpen = isEnd || day?.can_arrive === true;
  const isWithin = from !== undefined && to !== undefined && date > from && date < to;
  const look =
    date === from ? 'first' : date === to ? 'last' : isWithin ? 'within' : isOpen ? 'free' : 'taken';
  return (
    <button
      type="button"
      class={`day-${look}`}
      data-date={date}
      tabIndex={isEntry ? 0 : -1}
      aria-disabled={!isOpen}
      aria-pressed={look === 'first' || look === 'last' || look === 'within'}
      onClick={() => press(date)}
      onKeyDown={onMove}
    >
      <span aria-hidden="true">{Number(date.slice(8))}</span>
      {isOpen && day?.available && <small aria-hidden="true">{sayShortly(day.price)}</small>}
      <span class="unseen">{dayLabel(look, date, day, currency)}</span>
    </button>
  );
};

const dayLabel = (look: string, date: string, day: DayAvailability | undefined, currency: string): string => {
  const values = { date: sayDate(date), amount: day ? sayMoney(day.price, currency) : '' };
  if (look === 'first') return say('dayFirst', values);
  if (look === 'last') return say('dayLast', values);
  if (look === 'within') return say('dayWithin', values);
  if (!day?.available) return say('dayTaken', values);
  if (!day.can_arrive) return say('dayNoArrival', values);
  if (day.min_nights > 1) return say('dayMin', { ...values, nights: sayNights(day.min_nights) });
  return say('dayFree', values);
};
