import type { View } from './history.ts';
import { type Model, overlap, type Stay } from './model.ts';
import { hourText, homeNames } from './scene.ts';
import { spansOf } from './view.ts';

/** Returns the differences between the table and the model. */
export const viewProblems = (view: View, model: Model): string[] => [
  ...twiceTaken(view, model),
  ...hoursProblems(view, model),
  ...entryProblems(view, model),
  ...bookingProblems(view, model),
  ...eventProblems(view, model),
];

const span = ({ home, from, to }: { home: string; from: number; to: number }): string =>
  `${home} ${hourText(from)}..${hourText(to)}`;

/** The no-double-booking property (D32), from the entries only. */
const twiceTaken = ({ entries }: View, model: Model): string[] =>
  entries.flatMap((one, at) =>
    entries
      .slice(at + 1)
      .filter((other) => model.excludes(one.home, other.home) && overlap(one, other))
      .map((other) => `taken twice: ${span(one)} (${one.kind}) and ${span(other)} (${other.kind})`),
  );

/** The calendar's hours must be exactly those of active stays, blocks and locks. */
const hoursProblems = ({ taken }: View, model: Model): string[] =>
  homeNames.flatMap((home) => {
    const own = model.live().filter((stay) => stay.home === home);
    const hours = new Set(
      own.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
    );
    const expected = spansOf(hours).map((one) => span({ home, ...one }));
    const found = (taken[home] ?? []).map((one) => span({ home, ...one }));
    return JSON.stringify(expected) === JSON.stringify(found)
      ? []
      : [`the hours of ${home} are [${found.join(', ')}], not [${expected.join(', ')}]`];
  });

const entryProblems = ({ entries }: View, model: Model): string[] => {
  const text = ({
    kind,
    until,
    reservation,
    ...rest
  }: Pick<Stay, 'kind' | 'until' | 'reservation' | 'home' | 'from' | 'to'>) =>
    `${kind} ${span(rest)} until ${until ?? 'ever'} for ${reservation ?? 'no'} reservation`;
  return differences('entry', entries.map(text), model.live().map(text));
};

const bookingProblems = ({ bookings }: View, model: Model): string[] => {
  const found = bookings.map(({ id, home, state }) => `${id} at ${home} ${state}`);
  const expected = model.bookings.map(
    ({ reservation, home, open }) => `${reservation} at ${home} ${open ? 'CONFIRMED' : 'CANCELLED'}`,
  );
  return differences('booking', found, expected);
};

/** Each booking must have one event when created, and one when cancelled (D61). */
const eventProblems = ({ events }: View, model: Model): string[] => {
  const found = events
    .filter(({ type }) => type.startsWith('booking.'))
    .map(({ type, id }) => `${type} ${id}`);
  const expected = model.bookings.flatMap(({ reservation, open }) => [
    `booking.created ${reservation}`,
    ...(open ? [] : [`booking.cancelled ${reservation}`]),
  ]);
  return differences('event', found, expected);
};

const differences = (what: string, found: readonly string[], expected: readonly string[]): string[] => {
  const rest = [...found];
  const missing = expected.filter((one) => {
    const at = rest.indexOf(one);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
  return [
    ...missing.map((one) => `${what} is missing: ${one}`),
    ...rest.map((one) => `${what} too many: ${one}`),
  ];
};
