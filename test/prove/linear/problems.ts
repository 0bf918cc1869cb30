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

/** What is known of a family: problems, or that the search was too long. */
interface Judgement {
  problems: string[];
  isDecided: boolean;
}

/** Looks for an order of the requests of a family that explains every answer. */
export const judgeFamily = ({ parents, calls }: Family, mostSteps?: number): Judgement => {
  const verdict = linearize(calendarOf(parents), calls, mostSteps);
  if (verdict.is !== 'not linearizable') return { problems: [], isDecided: verdict.is === 'linearizable' };
  const before = verdict.placed.slice(-mostLines).map(line);
  const problem = `no order explains that ${line(verdict.stuck)}, after: ${before.join('; ')}`;
  return { problems: [problem], isDecided: true };
};

/** Returns the answers that no order of the requests explains. */
export const linearProblems = (families: readonly Family[]): string[] =>
  families.flatMap((family) => {
    const { problems, isDecided } = judgeFamily(family);
    return isDecided ? problems : [`the order of requests for ${family.name} was not found in time`];
  });
