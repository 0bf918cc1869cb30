import type { Edit, FaultKind } from './plan.ts';
import type { HomeName, Who } from './scene.ts';

/** The events of a run in order, independent of how the service works: the checker knows no more. */
export type HistoryEvent =
  | { type: 'begin'; op: number; intent: Intent }
  | { type: 'commit'; op: number; names: Names; view?: View }
  | { type: 'end'; op: number; answer: Answered }
  | { type: 'crash'; op: number }
  | { type: 'fault'; op: number; kind: FaultKind }
  | { type: 'clock'; now: number }
  /** At the end, when nothing is running. */
  | { type: 'rest'; view: View };

/** Hours since the first of January of the scene, half-open. */
export interface HourSpan {
  from: number;
  to: number;
}

export interface Wanted extends HourSpan {
  home: HomeName;
}

/** The meaning of a request. */
export interface Intent {
  who: Who;
  verb: Verb;
  /** The items that are held, booked, blocked or read. */
  items: Wanted[];
  /** The id of the checkout, booking or block. */
  target?: number;
  change?: Edit;
  /** The partner's own id of a booking. */
  external?: string;
  key?: string;
  /** The same for the same request. */
  content: string;
}

type Verb =
  | 'hold'
  | 'confirm'
  | 'confirmHeld'
  | 'extend'
  | 'release'
  | 'cancel'
  | 'cancelExternal'
  | 'book'
  | 'block'
  | 'unblock'
  | 'hours'
  | 'edit';

export interface Answered {
  status: number;
  code?: string;
  body: string;
  replayed: boolean;
}

/** The ids that a committed transaction assigned. */
export interface Names {
  order?: number;
  /** The item of each of the following ids, as `placeOf` writes it; absent: in the order of the items. */
  places?: string[];
  reservations: number[];
  availabilities: number[];
  /** When the lock expires, in epoch milliseconds. */
  until?: number;
}

/** The content of the table at a moment. */
export interface View {
  /** Taken hours of each home: stays, blocks, and soft locks that have not expired. */
  taken: Record<string, HourSpan[]>;
  entries: ViewEntry[];
  bookings: { id: number; order: number; home: HomeName; state: string; from: number; to: number }[];
  events: { type: string; id: number }[];
}

export interface ViewEntry extends HourSpan {
  id: number;
  home: HomeName;
  kind: 'BOOKED' | 'BLOCKED' | 'SOFT_LOCK';
  until: number | null;
  reservation: number | null;
}

export const placeOf = ({ home, from }: { home: string; from: number }): string => `${home} ${from}`;

const verbLine = (intent: Intent, text: (hour: number) => string): string => {
  const items = intent.items.map(({ home, from, to }) => `${home} ${text(from)}..${text(to)}`).join(' + ');
  return [
    intent.verb,
    items,
    intent.target,
    intent.change,
    intent.external,
    intent.key && `key ${intent.key}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
};

/** Returns a history as readable lines. */
export const historyText = (history: readonly HistoryEvent[], text: (hour: number) => string): string[] => {
  const who = new Map<number, string>();
  return history.map((event) => {
    switch (event.type) {
      case 'begin':
        who.set(event.op, `${event.intent.who}#${event.op}`);
        return `${who.get(event.op)} asks: ${verbLine(event.intent, text)}`;
      case 'commit':
        return `${who.get(event.op)} commits${event.names.order === undefined ? '' : ` order ${event.names.order}`}`;
      case 'end':
        return `${who.get(event.op)} is answered ${event.answer.status} ${event.answer.code ?? ''}${event.answer.replayed ? ' (replayed)' : ''}`;
      case 'crash':
        return `${who.get(event.op)} crashes`;
      case 'fault':
        return `${who.get(event.op)} meets: ${event.kind}`;
      case 'rest':
        return 'all is quiet';
      case 'clock':
        return `the clock says ${new Date(event.now).toISOString().slice(11, 23)}`;
    }
  });
};
