import { hourText } from '../schedule/scene.ts';
import { type Asked, askedText, calendarOf } from './calendar.ts';
import { type Call, linearize } from './linearize.ts';

/** The calls of a family of homes, which share one calendar. */
export interface Family {
  name: string;
  parents: Record<string, string | null>;
  calls: Call<Asked>[];
}

const mostLines = 12;

const line = ({ name, end, asked }: Call<Asked>): string =>
  `${name} ${askedText(asked, hourText)}${end === Infinity ? ' (no answer)' : ''}`;

/** Returns the answers that no order of the requests explains. */
export const linearProblems = (families: readonly Family[]): string[] =>
  families.flatMap(({ name, parents, calls }) => {
    const verdict = linearize(calendarOf(parents), calls);
    if (verdict.is === 'linearizable') return [];
    if (verdict.is === 'undecided') return [`the order of requests for ${name} was not found in time`];
    const before = verdict.placed.slice(-mostLines).map(line);
    return [`no order explains that ${line(verdict.stuck)}, after: ${before.join('; ')}`];
  });
