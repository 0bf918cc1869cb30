import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { notify } from '../parts/notice.ts';
import { session } from '../session/session.ts';
import { say } from '../words/index.ts';
import { listenToKeys } from './drag-keys.ts';
import {
  bookingAt,
  drop,
  type DragProps,
  type Ghost,
  inRows,
  mayChange,
  spanOf,
  type Tools,
} from './dragged.ts';
import { dragged, type Grip, gripAt, type Place, placeAt } from './place.ts';
import { headHeight, nameWidth } from './scale.ts';

/** What a pointer is on, before and while it is dragged. */
interface Held {
  span: Ghost;
  grip: Grip;
  from: Place;
  to: Place;
  pointer: number;
  x: number;
  y: number;
  isMouse: boolean;
  /** A finger has rested long enough; a mouse has moved far enough. */
  isMeant: boolean;
  /** The booking allows it. */
  isAllowed: boolean;
  /** It was dropped, perhaps before the booking has answered. */
  isOver: boolean;
  /** Nothing comes of it. */
  isLeft: boolean;
}

const restMs = 400;
const leastPixels = 6;
/** So near to the edge the chart scrolls on. */
const edgePixels = 36;
const edgeStep = 24;

/** Lets stays and free nights of the chart be dragged: by a mouse at once, by a finger after it has rested, by Shift and arrows. */
export const useDrag = (props: DragProps): Signal<Ghost | undefined> => {
  const ghost = useSignal<Ghost | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const node = props.place.current;
    if (!node) return undefined;
    const control = new AbortController();
    listen(node, control.signal, { ghost, latest });
    return () => control.abort();
  }, []);
  return ghost;
};

/** What is dragged now. */
const holding = ({ ghost, latest }: Tools) => {
  let held: Held | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = (): void => {
    clearTimeout(timer);
    held = undefined;
    ghost.value = undefined;
  };
  const show = (): void => {
    if (held?.isAllowed !== true || held.isLeft) return;
    ghost.value = {
      ...held.span,
      ...dragged(held.span, held.grip, held.from, inRows(held.to, latest.current)),
    };
  };
  const finish = (): void => {
    const [one, to] = [held, ghost.value];
    if (!one) return;
    one.isOver = true;
    if (one.isMeant && !one.isAllowed && !one.isLeft) return;
    release();
    if (to) drop(one.span, to, latest.current);
  };
  /** Reads the booking before anything is shown, since a change that it does not allow must not start. */
  const mean = async (): Promise<void> => {
    const one = held;
    if (!one || one.isMeant) return;
    one.isMeant = true;
    const { bookingId } = one.span;
    const isAllowed = bookingId === undefined || (await mayChange(bookingId));
    if (held !== one) return;
    one.isAllowed = isAllowed;
    show();
    if (one.isOver) finish();
    if (isAllowed) return;
    release();
    notify({ text: say('stayFixed') });
  };
  return {
    now: () => held,
    hold: (one: Held): void => {
      held = one;
      if (!one.isMouse) timer = setTimeout(() => void mean(), restMs);
    },
    move: (to: Place): void => {
      if (!held || held.isOver) return;
      held.to = to;
      show();
    },
    mean: () => void mean(),
    /** The click that follows is ignored still. */
    leave: (): void => {
      ghost.value = undefined;
      if (held) held.isLeft = true;
    },
    ...{ finish, release },
  };
};

const untried = { isMeant: false, isAllowed: false, isOver: false, isLeft: false };

const listen = (node: HTMLDivElement, signal: AbortSignal, tools: Tools): void => {
  const { latest } = tools;
  const hand = holding(tools);
  const pointed = ({ clientX, clientY }: MouseEvent): Place => {
    const { left, top } = node.getBoundingClientRect();
    return placeAt(
      latest.current.scale,
      clientX - left + node.scrollLeft - nameWidth,
      clientY - top + node.scrollTop - headHeight,
    );
  };
  const on = <Name extends keyof HTMLElementEventMap>(
    target: EventTarget,
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ): void => target.addEventListener(name, listener as EventListener, { signal, passive: false });

  on(node, 'pointerdown', (event) => {
    hand.release();
    if (event.button !== 0 || !event.isPrimary || session.value.state !== 'SIGNED_IN') return;
    const from = pointed(event);
    const found = gripOf(event, from, latest.current);
    if (!found) return;
    const { clientX: x, clientY: y, pointerId: pointer } = event;
    const isMouse = event.pointerType === 'mouse';
    hand.hold({ ...found, from, to: from, pointer, x, y, isMouse, ...untried });
  });
  on(window, 'pointermove', (event) => {
    const held = hand.now();
    if (held?.pointer !== event.pointerId) return;
    if (!held.isMeant && Math.hypot(event.clientX - held.x, event.clientY - held.y) > leastPixels)
      // A finger that has not rested scrolls.
      (held.isMouse ? hand.mean : hand.release)();
    if (held.isAllowed) scrollOn(node, event);
    hand.move(pointed(event));
  });
  on(window, 'pointerup', (event) => {
    const held = hand.now();
    if (held?.pointer !== event.pointerId) return;
    if (held.isMeant) ignoreClick(node);
    hand.finish();
  });
  on(window, 'pointercancel', hand.release);
  on(window, 'keydown', ({ key }) => key === 'Escape' && hand.leave());
  // A finger that drags does not scroll, nor opens the menu of a link; a mouse does not drag its address or select text.
  on(node, 'touchmove', (event) => hand.now()?.isMeant === true && event.preventDefault());
  on(node, 'contextmenu', (event) => hand.now()?.isMouse === false && event.preventDefault());
  on(node, 'dragstart', (event) => event.preventDefault());
  on(node, 'selectstart', (event) => hand.now() && event.preventDefault());
  listenToKeys(node, signal, tools);
};

/** The click that follows a drag opens nothing. */
const ignoreClick = (node: HTMLElement): void => {
  const stop = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  node.addEventListener('click', stop, { capture: true, once: true });
  requestAnimationFrame(() => node.removeEventListener('click', stop, { capture: true }));
};

const scrollOn = (node: HTMLElement, { clientX, clientY }: PointerEvent): void => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  const step = (at: number, first: number, last: number): number =>
    at > last - edgePixels ? edgeStep : at < first + edgePixels ? -edgeStep : 0;
  node.scrollBy(step(clientX, left + nameWidth, right), step(clientY, top + headHeight, bottom));
};

const gripOf = (
  { target, clientX, pointerType }: PointerEvent,
  { day, row }: Place,
  props: DragProps,
): Pick<Held, 'span' | 'grip'> | undefined => {
  const bar = bookingAt(target);
  if (bar) {
    const span = spanOf(Number(bar.dataset['booking']), props);
    const { left, width } = bar.getBoundingClientRect();
    return span && { span, grip: gripAt(clientX - left, width, pointerType === 'mouse' ? 'mouse' : 'touch') };
  }
  const isFree = target instanceof Element && target.matches('.night, .night *, .time');
  return isFree ? { span: { row, day, nights: 1 }, grip: 'NIGHTS' } : undefined;
};
