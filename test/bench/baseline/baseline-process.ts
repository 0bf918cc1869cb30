/** The baseline in a process of its own. */
import pg from 'pg';
import { answerCalls } from '../processes.ts';
import { homeOf, seededStays } from '../homes.ts';
import { schema, searchIndex } from './schema.ts';
import { startBaseline } from './service.ts';

export interface BaselineCalls {
  /** Connects as one of several instances. */
  connect: (what: { port: number; instances: number }) => void;
  createSchema: (argument: undefined) => Promise<void>;
  /** Writes listings with their stays. */
  seed: (what: { from: number; listings: number; stays: number; today: string }) => Promise<void>;
  /** Indexes what was seeded. */
  index: (argument: undefined) => Promise<void>;
  /** Returns the address of the service. */
  serve: (argument: undefined) => Promise<string>;
  [name: string]: (argument: never) => unknown;
}

let pool: InstanceType<typeof pg.Pool>;
/** Of all instances. */
const connections = 16;
const weekend = [5, 6];

answerCalls({
  connect: ({ port, instances }) => {
    const max = Math.ceil(connections / instances);
    pool = new pg.Pool({ host: '127.0.0.1', port, user: 'bench', database: 'postgres', max });
  },
  createSchema: async () => {
    await pool.query(schema);
  },
  seed: async ({ from, listings, stays, today }) => {
    const numbers = Array.from({ length: listings }, (_, at) => from + at);
    const homes = numbers.map((number) => ({ id: number + 1, ...homeOf(number) }));
    const booked = numbers.flatMap((number) =>
      seededStays(number, stays, today).map((stay) => ({ listing_id: number + 1, ...stay })),
    );
    const prices = homes.flatMap(({ id, weekend_rate }) =>
      weekend.map((weekday) => ({ listing_id: id, weekday, price: weekend_rate })),
    );
    await pool.query(
      `INSERT INTO listings (id, name, address, place, capacity, full_rate)
       SELECT id, name, address, point(latitude, longitude), capacity, full_rate FROM jsonb_to_recordset($1) AS home
         (id bigint, name text, address text, latitude float8, longitude float8, capacity int, full_rate bigint)`,
      [JSON.stringify(homes)],
    );
    await pool.query(
      `INSERT INTO prices SELECT * FROM jsonb_to_recordset($1) AS price (listing_id bigint, weekday int, price bigint)`,
      [JSON.stringify(prices)],
    );
    await pool.query(
      `INSERT INTO stays (listing_id, during)
       SELECT listing_id, tstzrange((check_in_date || 'T14:00:00+07')::timestamptz, (check_out_date || 'T12:00:00+07')::timestamptz)
       FROM jsonb_to_recordset($1) AS stay (listing_id bigint, check_in_date text, check_out_date text)`,
      [JSON.stringify(booked)],
    );
  },
  index: async () => {
    await pool.query(searchIndex);
  },
  serve: () => startBaseline(pool),
} satisfies BaselineCalls);
