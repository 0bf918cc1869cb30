import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import type { PaymentGateway } from '../../../shared/platform/payment/index.ts';
import type { Item } from '../memory/values.ts';
import type { Tamper } from '../service/table.ts';
import { isOf, rewriting, type Update } from '../service/tampering.ts';

/** A mistake that the histories have to find. */
export interface MoneyBug {
  name: string;
  /** The seed that finds it soon, where others take longer. */
  seed?: number;
  /** Changes what goes to the table. */
  tamper?: Tamper;
  /** Changes items as they are read, by statements or by all others. */
  reading?: (item: Item, by: 'statement' | 'service') => Item;
  /** Changes what the client of the gateway does. */
  gateway?: (client: PaymentGateway) => PaymentGateway;
}

export interface Posting {
  kind: string;
  amount: number;
  of?: number;
  method?: string;
  reference?: string;
  collected_by?: string;
  payment_id?: number;
  refund_id?: string;
  received_at?: number;
  is_due?: true;
  to_return?: true;
}

/** What a write sets of a stay. */
interface StaySet {
  postings: Posting[];
  folio_version: number;
  payment_status?: string;
  pay_until?: number;
  plan?: { deposit: number; is_due?: true };
}

/** Returns a write with other values; of attributes that it sets. */
const withSet = (update: Update, change: (set: StaySet) => StaySet): Update => {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = update;
  const places = [...(update.UpdateExpression ?? '').matchAll(/(#\w+) = (:\w+)/g)].map(
    ([, name = '', place = '']) => [names[name] ?? '', place] as const,
  );
  if (places.length === 0) return update;
  const set = Object.fromEntries(places.map(([name, place]) => [name, values[place] as unknown]));
  const changed = change(structuredClone(set) as unknown as StaySet) as unknown as Item;
  const now = Object.fromEntries(places.map(([name, place]) => [place, changed[name]]));
  const left = places.filter(([, place]) => now[place] === undefined).map(([, place]) => place);
  return left.reduce(removing, { ...update, ExpressionAttributeValues: { ...values, ...now } });
};

/** Removes an attribute that a write would set, by the place of its value. */
const removing = (update: Update, place: string): Update => {
  const [, sets = '', removes] = /^SET (.*?)(?: REMOVE (.*))?$/.exec(update.UpdateExpression ?? '') ?? [];
  const parts = sets.split(', ');
  const [part = ''] = parts.filter((one) => one.endsWith(` = ${place}`));
  const [name = ''] = part.split(' ');
  const { [place]: _, ...ExpressionAttributeValues } = update.ExpressionAttributeValues ?? {};
  const UpdateExpression = `SET ${parts.filter((one) => one !== part).join(', ')} REMOVE ${[...(removes ? [removes] : []), name].join(', ')}`;
  return { ...update, UpdateExpression, ExpressionAttributeValues };
};

/** Changes what is written of a stay, by the types of the events beside it, and by who writes. */
export const setting =
  (
    change: (
      set: StaySet,
      events: readonly string[],
      actors: readonly string[],
    ) => { [Name in keyof StaySet]?: StaySet[Name] | undefined },
  ): Tamper =>
  (command) => {
    if (!(command instanceof TransactWriteCommand)) return command;
    const items = (command.input.TransactItems ?? []).flatMap(({ Put }) =>
      Put?.Item ? [Put.Item as Item] : [],
    );
    const of = (name: string): string[] => items.flatMap((item) => (item[name] as string | undefined) ?? []);
    const [events, actors] = [of('event_type'), of('actor')];
    return rewriting((action) =>
      action.Update && isOf(action.Update, 'RESERVATION#')
        ? {
            ...action,
            Update: withSet(action.Update, (set) => ({ ...set, ...change(set, events, actors) }) as StaySet),
          }
        : action,
    )(command);
  };

/** Changes what is written of the money of a stay. */
export const posting = (change: Parameters<typeof setting>[0]): Tamper =>
  setting((set, ...by) => ((set.postings as Posting[] | undefined) ? change(set, ...by) : {}));

/** Changes each posting of a kind as it is written. */
export const each = (kind: string, change: (one: Posting, all: readonly Posting[]) => Posting): Tamper =>
  posting(({ postings }) => ({
    postings: postings.map((one) => (one.kind === kind ? change(one, postings) : one)),
  }));

export const withoutField = (one: Posting, name: keyof Posting): Posting =>
  Object.fromEntries(Object.entries(one).filter(([other]) => other !== name)) as unknown as Posting;

/** Changes stays as they are read. */
export const stays =
  (change: (stay: Item, postings: readonly Posting[]) => Item, by = ['statement', 'service']) =>
  (item: Item, reader: string): Item =>
    item['entity'] === 'Reservation' && by.includes(reader)
      ? { ...item, ...change(item, (item['postings'] as Posting[] | undefined) ?? []) }
      : item;

export const sumOf = (postings: readonly Posting[], kind: string): number =>
  postings.reduce((sum, one) => (one.kind === kind ? sum + one.amount : sum), 0);
