import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '../../shared/platform/dynamodb/index.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import type { CalendarMonth } from '../../shared/domain/calendar/calendar.store.ts';
import type { ListingTime } from '../../shared/domain/calendar/taken-time.rules.ts';
import { familyMonth, listingHours } from '../../shared/domain/calendar/month.rules.ts';
import { hourText, monthSpans, takenWithin } from '../../shared/domain/calendar/hours.rules.ts';
import { unavailableHours } from '../../shared/domain/calendar/overlap.rules.ts';
import { addHours } from '../../shared/platform/time/time.ts';
import type { Item } from './memory/values.ts';
import type { Stage } from './schedule/run.ts';

/** A plausible bug, injected from outside: the checker must detect it. */
export interface SeededBug {
  name: string;
  /** Changes commands or their results. */
  tamper?: NonNullable<Stage['tamper']>;
  /** Changes the calendar's code; returns a function that undoes it. */
  patch?: () => () => void;
}

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
const draft = CalendarDraft.prototype;

const instead = <Name extends keyof CalendarDraft>(
  name: Name,
  make: (original: CalendarDraft[Name]) => CalendarDraft[Name],
) => {
  return (): (() => void) => {
    const original = draft[name];
    draft[name] = make(original);
    return () => void (draft[name] = original);
  };
};

/** Rewrites transactions before they are sent. */
const rewriting =
  (rewrite: (actions: Action[]) => Action[]): SeededBug['tamper'] =>
  (execute) =>
  (command) => {
    if (!(command instanceof TransactWriteCommand)) return execute(command);
    const TransactItems = rewrite(structuredClone(command.input.TransactItems ?? []));
    return TransactItems.length === 0
      ? Promise.resolve({})
      : execute(new TransactWriteCommand({ ...command.input, TransactItems }));
  };

const entityOf = (action: Action): unknown => (action.Put?.Item as Item | undefined)?.['entity'];
const keyOf = (action: Action): string =>
  ((action.Update?.Key as { sk: string } | undefined) ?? { sk: '' }).sk;

/** Makes the condition hold always. */
const unconditional = <Part extends { ConditionExpression?: string | undefined } | undefined>(
  part: Part,
): Part =>
  part?.ConditionExpression === undefined
    ? part
    : {
        ...part,
        ConditionExpression: `${part.ConditionExpression} OR attribute_exists(pk) OR attribute_not_exists(pk)`,
      };

/** Whether an action confirms or extends soft locks, without the month as read. */
const isOfHolds = (action: Action): boolean =>
  keyOf(action).startsWith('MONTH#') && (action.Update?.ConditionExpression?.includes('>=') ?? false);

const withoutPuts = (entity: string, also: (item: Item) => boolean = () => true) =>
  rewriting((actions) =>
    actions.filter((action) => entityOf(action) !== entity || !also(action.Put?.Item as Item)),
  );

/** Changes the soft locks of months as they are read. */
const readingLocks = (change: (until: number) => number) =>
  instead(
    'add',
    (original) =>
      function add(this: CalendarDraft, ids, items) {
        const changed = items.map((month) => {
          const locks = Object.entries(month.locks).map(([id, lock]) => [
            id,
            { ...lock, until: change(lock.until) },
          ]);
          return { ...month, locks: Object.fromEntries(locks) as CalendarMonth['locks'] };
        });
        original.call(this, ids, changed);
      },
  );

/** A child checks only its own hours. */
const parentUnchecked = (): (() => void) => {
  const months = new WeakMap<CalendarDraft, Map<string, CalendarMonth>>();
  const undoAdd = instead(
    'add',
    (original) =>
      function add(this: CalendarDraft, ids, items) {
        const known = months.get(this) ?? new Map<string, CalendarMonth>();
        for (const item of items) known.set(`${item.month} ${item.listing_id}`, item);
        months.set(this, known);
        original.call(this, ids, items);
      },
  )();
  const undoTaken = instead(
    'taken',
    (original) =>
      function taken(this: CalendarDraft, time, exceptHolder) {
        if (time.listing_id === time.calendar_id) return original.call(this, time, exceptHolder);
        return monthSpans(time).flatMap((span) => {
          const month = months.get(this)?.get(`${span.month} ${time.listing_id}`);
          if (!month) return [];
          const alone = familyMonth({ calendar_id: 0, month: span.month }, listingHours(month));
          return takenWithin(unavailableHours(alone, time.listing_id, 0, exceptHolder), span).map(
            ({ from, to }) => ({
              listing_id: time.listing_id,
              start_at: hourText(span.month, from),
              end_at: hourText(span.month, to),
              free_again_at: null,
            }),
          );
        });
      },
  )();
  return () => {
    undoTaken();
    undoAdd();
  };
};

/** The last hour of a month is dropped. */
const borderForgotten = instead(
  'take',
  (original) =>
    function take(this: CalendarDraft, { preparation_hours, ...time }: ListingTime) {
      const spans = monthSpans(preparation_hours === undefined ? time : { ...time, preparation_hours });
      spans.forEach(({ month, from, to }, at) => {
        const end = at < spans.length - 1 ? to - 1 : to;
        original.call(this, { ...time, start_at: hourText(month, from), end_at: hourText(month, end) });
      });
    },
);

export const seededBugs: readonly SeededBug[] = [
  {
    name: 'months written whatever they have become',
    tamper: rewriting((actions) =>
      actions.map((action) => {
        if (entityOf(action) === 'CalendarMonth') return { Put: unconditional(action.Put) };
        return keyOf(action).startsWith('MONTH#') ? { Update: unconditional(action.Update) } : action;
      }),
    )!,
  },
  { name: 'expiry ignored', patch: readingLocks((until) => until + 86_400_000) },
  { name: 'a lock holds one moment too long', patch: readingLocks((until) => until + 1) },
  { name: 'live locks overlooked', patch: readingLocks(() => 0) },
  { name: 'parent not checked by its child', patch: parentUnchecked },
  {
    name: 'release frees the hours of a later holder',
    patch: instead(
      'releaseHold',
      (original) =>
        function releaseHold(this: CalendarDraft, time) {
          original.call(this, time);
          this.free(time);
        },
    ),
  },
  { name: 'month border off by one', patch: borderForgotten },
  {
    name: 'last hour not checked',
    patch: instead(
      'taken',
      (original) =>
        function taken(this: CalendarDraft, time, exceptHolder) {
          return original.call(this, { ...time, end_at: addHours(time.end_at, -1) }, exceptHolder);
        },
    ),
  },
  {
    name: 'preparation taken, and not asked for',
    patch: instead(
      'taken',
      (original) =>
        function taken(this: CalendarDraft, { preparation_hours: _, ...time }, exceptHolder) {
          return original.call(this, time, exceptHolder);
        },
    ),
  },
  {
    name: 'preparation asked for, and not taken',
    patch: instead(
      'take',
      (original) =>
        function take(this: CalendarDraft, { preparation_hours: _, ...time }, holder) {
          original.call(this, time, holder);
        },
    ),
  },
  {
    name: 'confirm does not consume the lock',
    tamper: rewriting((actions) =>
      actions.filter((action) => !isOfHolds(action) || !action.Update?.UpdateExpression?.includes('REMOVE')),
    )!,
  },
  {
    name: 'extend forgets the calendar',
    tamper: rewriting((actions) =>
      actions.filter((action) => !isOfHolds(action) || action.Update?.UpdateExpression?.includes('REMOVE')),
    )!,
  },
  {
    name: 'retry after a lost reply with a new token',
    tamper: (execute) => (command) =>
      command instanceof TransactWriteCommand
        ? execute(new TransactWriteCommand({ ...command.input, ClientRequestToken: randomUUID() }))
        : execute(command),
  },
  { name: 'answers not kept under their key', tamper: withoutPuts('IdempotencyRecord')! },
  {
    name: 'event of a booking forgotten',
    tamper: withoutPuts('Event', (item) => item['event_type'] === 'booking.created')!,
  },
  {
    name: 'calendar and records in two transactions',
    tamper: (execute) => async (command) => {
      if (!(command instanceof TransactWriteCommand)) return execute(command);
      const actions = command.input.TransactItems ?? [];
      const half = (keep: (action: Action) => boolean) => actions.filter(keep);
      const isMonth = (action: Action) =>
        entityOf(action) === 'CalendarMonth' || keyOf(action).startsWith('MONTH#');
      for (const part of [half(isMonth), half((action) => !isMonth(action))])
        if (part.length > 0)
          await execute(new TransactWriteCommand({ TransactItems: part, ClientRequestToken: randomUUID() }));
      return {};
    },
  },
  {
    name: 'cancelled time stays taken',
    patch: instead('free', () => function free() {}),
  },
];
