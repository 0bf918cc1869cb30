import { useState } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import { noteEnd, reread, useReading } from '../data/reading.ts';
import { Choice } from '../parts/choice.tsx';
import { ReadingState } from '../parts/reading-state.tsx';
import { api, readFile } from '../session/session.ts';
import { say, sayError, sayMonth } from '../words/index.ts';
import { figuresOf, monthsAround } from './figures.ts';
import { OfOneCurrency } from './of-currency.tsx';

/** What a month has brought, home by home. */
export const FiguresPage = () => {
  const thisMonth = Temporal.Now.plainDateISO().toString().slice(0, 7);
  const [month, setMonth] = useState(thisMonth);
  const months = monthsAround(thisMonth, -24, 12);
  const at = months.indexOf(month);
  const step = (label: 'monthBefore' | 'monthAfter', to: string | undefined) => (
    <button
      type="button"
      aria-label={say(label)}
      disabled={to === undefined}
      onClick={() => to && setMonth(to)}
    >
      {label === 'monthBefore' ? '‹' : '›'}
    </button>
  );
  return (
    <section class="figures" aria-labelledby="figures">
      <h1 id="figures">{say('figures')}</h1>
      <div class="months">
        {step('monthBefore', months[at + 1])}
        <Choice
          label={say('month')}
          value={month}
          options={months.map((one) => [one, sayMonth(`${one}-01`)])}
          onChoose={setMonth}
        />
        {step('monthAfter', months[at - 1])}
        <Download key={month} month={month} />
      </div>
      <OfMonth key={`of ${month}`} month={month} />
    </section>
  );
};

/** A month costs the service more than other pages: it is read when it is opened, and when it is asked for again. */
const OfMonth = ({ month }: { month: string }) => {
  const name = `statement ${month}`;
  const statement = useReading(name, () => api().readStatement({ month }), { isLasting: true });
  const all = figuresOf(statement.data?.rows ?? []);
  return (
    <>
      <ReadingState reading={statement} />
      {statement.data && (
        <p class="line">
          <span class="quiet">{say('figuresMean')}</span>
          <button type="button" onClick={() => void reread(name)}>
            {say('readAgain')}
          </button>
        </p>
      )}
      {statement.data && all.length === 0 && <p class="quiet">{say('noFigures')}</p>}
      {all.map((one) => (
        <OfOneCurrency key={one.currency} of={one} />
      ))}
    </>
  );
};

const Download = ({ month }: { month: string }) => {
  const [state, setState] = useState<{ isReading: boolean; error?: unknown }>({ isReading: false });
  const read = async (): Promise<void> => {
    setState({ isReading: true });
    try {
      const url = URL.createObjectURL(await readFile(`/statements?month=${month}&format=csv`));
      Object.assign(document.createElement('a'), { href: url, download: `${month}.csv` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      setState({ isReading: false });
    } catch (error) {
      noteEnd(error);
      setState({ isReading: false, error });
    }
  };
  return (
    <>
      <button type="button" disabled={state.isReading} onClick={() => void read()}>
        {say('downloadSheet')}
      </button>
      {state.error !== undefined && <p role="alert">{sayError(state.error)}</p>}
    </>
  );
};
