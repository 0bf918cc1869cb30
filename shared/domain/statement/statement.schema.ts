import * as z from 'zod';
import { CurrencyCode, Id, MonthText, Money } from '../../platform/schema/schema.ts';
import { bookingExample } from '../booking/booking-example.schema.ts';

/** Who has taken money, and refunds it. */
export const collectors = ['HOST', 'PARTNER', 'GATEWAY', 'PLATFORM'] as const;

const amount = (description: string) => z.number().meta({ description });

const Collected = z
  .object({
    collector: z.enum(collectors),
    payments: amount('Less those that were taken out again.'),
    refunds: amount('Made, or still to be handed over by the host.'),
  })
  .meta({ id: 'CollectedMoney' });

const StatementRow = z
  .object({
    listing_id: Id,
    listing_name: z.string(),
    currency: CurrencyCode,
    nights_sold: z.int().meta({ description: 'Of stays that take place, until the guest left.' }),
    nights_available: z.int().nullable().meta({
      description:
        'Days since the listing was created; null unless it is ACTIVE now. Blocks are not taken off.',
    }),
    occupancy: z.number().nullable().meta({
      description: '`nights_sold` by `nights_available`; 1 is all of them.',
    }),
    room_revenue: amount(
      'The prices of the nights sold: of each stay its price by its nights, whenever it was booked.',
    ),
    adr: Money.nullable().meta({ description: '`room_revenue` by nights sold.' }),
    revpar: Money.nullable().meta({ description: '`room_revenue` by nights available.' }),
    gross: amount('Prices that were booked, less those of bookings that fell through.'),
    charges: amount('Beside the price.'),
    fees: amount('Kept of bookings that fell through, and of security deposits.'),
    commission: amount('Of `gross`, by the rate of each booking.'),
    net: amount('`gross`, `charges` and `fees` less `commission`.'),
    collected: z.array(Collected).meta({ description: 'By who took the money; all four.' }),
    balance: amount(
      '`gross`, `charges` and `fees` less what was collected and not refunded: what was not collected yet; negative: more came in.',
    ),
    cash_on_hand: amount('CASH that hosts took, security deposits included, less what they handed over.'),
    to_return: amount('Refunds that the host has not handed over yet.'),
  })
  .meta({ id: 'StatementRow' });
export type StatementRow = z.infer<typeof StatementRow>;

export const Statement = z
  .object({
    month: MonthText,
    rows: z.array(StatementRow).meta({
      description:
        'By listing and currency: every ACTIVE listing, and every other with nights or postings in the month.',
    }),
  })
  .meta({ id: 'Statement' });
export type Statement = z.infer<typeof Statement>;

export const statementQuery = z.strictObject({
  month: MonthText,
  format: z.enum(['json', 'csv']).default('json').meta({ description: 'csv: the rows as `text/csv`.' }),
});

const price = bookingExample.total_price;

export const statementExample: Statement = {
  month: '2027-02',
  rows: [
    {
      listing_id: bookingExample.listing_id,
      listing_name: bookingExample.listing_name,
      currency: 'VND',
      ...{ nights_sold: 1, nights_available: 28, occupancy: 0.0357 },
      ...{ room_revenue: price, adr: price, revpar: 42_857 },
      ...{ gross: price, charges: 60_000, fees: 0, commission: 0, net: price + 60_000 },
      collected: [
        { collector: 'HOST', payments: price, refunds: 0 },
        { collector: 'PARTNER', payments: 0, refunds: 0 },
        { collector: 'GATEWAY', payments: 0, refunds: 0 },
        { collector: 'PLATFORM', payments: 0, refunds: 0 },
      ],
      ...{ balance: 60_000, cash_on_hand: price, to_return: 0 },
    },
  ],
};

export const statementCsvExample =
  '\uFEFFmonth,listing_id,listing_name,currency,nights_sold,nights_available,occupancy,room_revenue,adr,revpar,' +
  'gross,charges,fees,commission,net,payments_host,refunds_host,payments_partner,refunds_partner,payments_gateway,' +
  'refunds_gateway,payments_platform,refunds_platform,balance,cash_on_hand,to_return\r\n2027-02,4711,Biệt thự Đà Lạt,VND,1,28,0.0357,1200000,1200000,' +
  '42857,1200000,60000,0,0,1260000,1200000,0,0,0,0,0,0,0,60000,1200000,0\r\n';
