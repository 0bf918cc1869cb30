import type { Answered, Intent, Wanted } from './history.ts';
import { type Model, overlap } from './model.ts';
import { homes, hourSpan, type HomeName, homeNames } from './scene.ts';

/**
 * Returns whether a response without an effect was right at some moment between request and response: `moments` is the model
 * at each of them.
 */
export const reasonFor = (
  intent: Intent,
  answer: Answered,
  moments: readonly Model[],
  others: readonly Intent[],
): boolean => {
  const once = (holds: (model: Model) => boolean): boolean => moments.some(holds);
  // A read that starts before its home changes its parent may read the earlier calendar.
  if (intent.verb === 'hours' && moments.some(({ listing }) => listing.parent !== moments[0]?.listing.parent))
    return true;
  if (answer.status < 300) return once((model) => isSilentSuccess(intent, answer, model));
  const order = (model: Model) => {
    const found = model.order(intent.target);
    return found?.owner === intent.who ? found : undefined;
  };
  switch (answer.code ?? '') {
    case 'LISTING_NOT_AVAILABLE':
      return (
        once((model) => obstacles(model, intent, moments).length > 0) && toldRight(intent, answer, moments)
      );
    case 'VALIDATION_ERROR':
      return takesTwice(intent);
    case 'CHECKOUT_EXPIRED':
      return once((model) => hasLapsed(model, intent)) || once((model) => isReleased(order(model)));
    case 'INVALID_STATE_TRANSITION':
      return once((model) => isWrongState(model, intent));
    case 'NOT_FOUND':
      return once((model) =>
        intent.verb === 'unblock'
          ? !model.stays.some(
              ({ kind, availability }) => kind === 'BLOCKED' && availability === intent.target,
            )
          : order(model) === undefined,
      );
    case 'BOOKING_NOT_FOUND':
      return once((model) => model.visible(intent.who, intent.target, false).length === 0);
    case 'EXTERNAL_BOOKING_NOT_ACCESSIBLE':
      return once((model) => model.named(intent.target).length === 0);
    case 'FORBIDDEN':
      return intent.verb === 'cancelExternal' && once((model) => isOfOthers(model, intent));
    case 'LISTING_NOT_FOUND':
    case 'EXTERNAL_LISTING_NOT_ACCESSIBLE':
      return once((model) => isClosed(model, intent));
    case 'RATE_LIMIT_EXCEEDED':
      return once((model) => liveOrders(model, intent) >= 5);
    case 'EXTERNAL_BOOKING_ID_CONFLICT':
      return once((model) =>
        model.externals.some(({ id, content }) => id === intent.external && content !== intent.content),
      );
    case 'IDEMPOTENCY_KEY_REUSED':
      return others.some((other) => other.key === intent.key && other.content !== intent.content);
    default:
      return false;
  }
};

/** Whether two stays of an order are in one home and overlap. */
const takesTwice = ({ verb, items }: Intent): boolean =>
  (verb === 'hold' || verb === 'confirm') &&
  items.some((one, at) => items.slice(0, at).some((other) => other.home === one.home && overlap(one, other)));

/** A booking that the partner may read, and did not make. */
const isOfOthers = (model: Model, { who, target }: Intent): boolean =>
  model.named(target).length > model.visible(who, target, true).length;

const isReleased = (order: ReturnType<Model['order']>): boolean =>
  order !== undefined && (order.state === 'RELEASED' || order.perhapsReleased);

/** Returns whether success without an effect is right. */
const isSilentSuccess = (intent: Intent, answer: Answered, model: Model): boolean => {
  const { verb, target, external, content } = intent;
  if (verb === 'hours') return sameHours(model, intent, answer);
  if (verb === 'release') return isReleased(model.order(target));
  if (verb === 'edit') return isAlready(model, intent);
  const isBooked = model.externals.some((known) => known.id === external && known.content === content);
  return verb === 'book' && answer.status === 200 && isBooked;
};

const isAlready = ({ listing }: Model, { change }: Intent): boolean => {
  if (change === 'pause') return listing.state === 'INACTIVE';
  if (change === 'publish') return listing.state === 'ACTIVE';
  if (change === 'attach') return listing.parent === 'parent';
  return change === 'detach' && listing.parent === null;
};

/** Returns whether the hours are exactly those taken at one moment. */
const sameHours = (model: Model, { items }: Intent, { body }: Answered): boolean => {
  const [range] = items;
  if (!range) return false;
  const named = (JSON.parse(body) as string[]).map((text) => hourOf(text));
  const taken: number[] = [];
  for (let hour = range.from; hour < range.to; hour++)
    if (model.conflicts([{ ...range, from: hour, to: hour + 1 }]).length > 0) taken.push(hour);
  return JSON.stringify(named) === JSON.stringify(taken);
};

const hourOf = (compact: string): number => {
  const text = `${compact.slice(0, 13)}:00`;
  return hourSpan({ from: text, to: text }).from;
};

/**
 * Returns the conflicts of a request that takes time or changes a parent. Concurrent requests of one caller may conflict: a
 * lock of the caller that appeared or was released after the request started need not be replaced.
 */
const obstacles = (model: Model, intent: Intent, moments: readonly Model[]): Wanted[] => {
  if (intent.verb === 'edit') return model.conflicts([ever]);
  if (intent.verb !== 'hold' && intent.verb !== 'confirm') return model.obstacles(intent);
  const known = (moments[0]?.ordersInTheWay(intent.who, intent.items) ?? []).filter(
    (id) => !moments.some((one) => isReleased(one.order(id))),
  );
  const replaced = model.ordersInTheWay(intent.who, intent.items).filter((id) => known.includes(id));
  return model.conflicts(intent.items, replaced);
};

const ever: Wanted = { home: 'moved', from: 0, to: 10_000 };

/** Returns whether the hours that a refusal names were taken, each at some moment. */
const toldRight = (intent: Intent, { body }: Answered, moments: readonly Model[]): boolean => {
  const { details } = JSON.parse(body) as {
    details: { unavailable: { listing_id: number; start_at: string; end_at: string }[] };
  };
  const named = details.unavailable.flatMap(({ listing_id, start_at, end_at }) => {
    const home = homeNames.find((name) => homes[name] === listing_id) as HomeName;
    return hoursOf({ home, ...hourSpan({ from: start_at, to: end_at }) });
  });
  return (
    named.length > 0 &&
    named.every((hour) =>
      moments.some((model) =>
        obstacles(model, intent, moments).some(
          (other) => model.excludes(hour.home, other.home) && overlap(hour, other),
        ),
      ),
    )
  );
};

const hoursOf = ({ home, from, to }: Wanted): Wanted[] =>
  Array.from({ length: to - from }, (_, at) => ({ home, from: from + at, to: from + at + 1 }));

const hasLapsed = (model: Model, intent: Intent): boolean => {
  const order = model.order(intent.target);
  // A confirm without a checkout id may have found its own lock and lost it meanwhile.
  if (intent.verb === 'confirm') return model.obstacles(intent).length > 0;
  if (order?.owner !== intent.who || order.state === 'BOOKED') return false;
  const isWhole = order.items.length === model.stays.filter((stay) => stay.order === order.id).length;
  const isOver = order.until <= model.now || isReleased(order) || !isWhole;
  if (intent.verb === 'extend') return isOver;
  return isOver && (isReleased(order) || model.obstacles(intent).length > 0);
};

const isWrongState = (model: Model, intent: Intent): boolean => {
  const { who, verb, target, change } = intent;
  const order = model.order(target);
  if (verb === 'confirmHeld' || verb === 'release') return order?.state === 'BOOKED';
  if (verb === 'extend')
    return order !== undefined && (order.state !== 'HELD' || order.extended || order.perhapsReleased);
  if (verb === 'cancel' || verb === 'cancelExternal')
    return (
      model.cancellable(intent).length === 0 &&
      model.visible(who, target, verb === 'cancelExternal').length > 0
    );
  const isBooked = model.stays.some(({ home, kind }) => home === 'moved' && kind === 'BOOKED');
  return verb === 'edit' && change === 'archive' && isBooked;
};

const isClosed = (model: Model, intent: Intent): boolean => {
  const { state } = model.listing;
  const isHosts = ['block', 'edit', 'unblock'].includes(intent.verb);
  if (isHosts) return state === 'ARCHIVED';
  if (intent.verb === 'hours') return intent.who === 'host' ? state === 'ARCHIVED' : state !== 'ACTIVE';
  const items = intent.verb === 'confirmHeld' ? (model.order(intent.target)?.items ?? []) : intent.items;
  return !model.open(items);
};

const liveOrders = (model: Model, intent: Intent): number => {
  const replaced = model.ordersInTheWay(intent.who, intent.items);
  return model.orders.filter(
    ({ id, owner, state, until }) =>
      owner === intent.who && state === 'HELD' && until > model.now && !replaced.includes(id),
  ).length;
};
