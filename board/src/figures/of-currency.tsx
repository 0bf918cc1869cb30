import { useState } from 'preact/hooks';
import { say, sayMoney, sayNumber, sayPercent } from '../words/index.ts';
import { Bars } from './bars.tsx';
import { type Measure, measures, type OfCurrency } from './figures.ts';

/** Of a team with many homes the first ones are drawn; the table has all. */
const mostBars = 12;

const write = (measure: Measure, value: number | null, currency: string): string => {
  if (value === null) return '–';
  if (measure === 'occupancy') return sayPercent(value);
  return measure === 'nights_sold' ? sayNumber(value) : sayMoney(value, currency);
};

/** The figures of the homes that are sold in one currency: in all, as bars, and as a table. */
export const OfOneCurrency = ({ of: { currency, total, homes } }: { of: OfCurrency }) => {
  const [isWhole, setWhole] = useState(false);
  const id = `currency-${currency}`;
  const drawn = isWhole ? homes : homes.slice(0, mostBars);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{currency}</h2>
      <dl class="tiles">
        {measures.map((measure) => (
          <div key={measure}>
            <dt>{say(`measure_${measure}`)}</dt>
            <dd>{write(measure, total[measure], currency)}</dd>
          </div>
        ))}
      </dl>
      <div class="pictures">
        {measures.map((measure) => (
          <Bars
            key={measure}
            title={say(`measure_${measure}`)}
            bars={drawn.map((home) => ({
              name: home.listing_name,
              value: home[measure],
              text: write(measure, home[measure], currency),
            }))}
            {...(measure === 'occupancy' ? { most: 1 } : {})}
          />
        ))}
      </div>
      {homes.length > mostBars && (
        <button type="button" class="more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? say('showFewer') : say('showAll', { count: homes.length })}
        </button>
      )}
      <Table {...{ currency, homes }} />
    </section>
  );
};

const Table = ({ currency, homes }: Omit<OfCurrency, 'total'>) => {
  const id = `table-${currency}`;
  return (
    <div class="table" role="region" aria-labelledby={id} tabIndex={0}>
      <table>
        <caption id={id}>{say('tableOf', { currency })}</caption>
        <thead>
          <tr>
            <th scope="col">{say('home')}</th>
            {measures.map((measure) => (
              <th key={measure} scope="col">
                {say(`measure_${measure}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {homes.map((home) => (
            <tr key={home.listing_id}>
              <th scope="row">{home.listing_name}</th>
              {measures.map((measure) => (
                <td key={measure}>{write(measure, home[measure], currency)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
