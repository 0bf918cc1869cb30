import { type BrokenRule, NightlatchError } from '@nightlatch/client';
import type { FreeStay } from '../chart/free.ts';
import { FreeInstead } from '../chart/taken.tsx';
import { Tick } from '../parts/tick.tsx';
import { say, sayDate } from '../words/index.ts';

/** What the rules of a home refuse of a stay, and what they would take. */
interface Broken {
  reasons: BrokenRule[];
  nearest: FreeStay[];
}

/** An answer, where the rules refuse the stay with what they refuse; the answer is then of the stay without them, if that was asked. */
export interface Ruled<Answer> {
  answer?: Answer;
  broken?: Broken;
}

/** Asks what would come of a stay, and again without the rules where they refuse it and are overridden. */
export const askRules = async <Answer,>(
  ask: () => Promise<Answer>,
  askWithout: (() => Promise<Answer>) | undefined,
): Promise<Ruled<Answer>> => {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (!(error instanceof NightlatchError && error.code === 'STAY_NOT_ALLOWED')) throw error;
    const broken = error.details;
    return askWithout ? { broken, answer: await askWithout() } : { broken };
  }
};

interface BrokenRulesProps {
  broken: Broken;
  isOverridden: boolean;
  onOverride: (isOverridden: boolean) => void;
  onChoose: (stay: FreeStay) => void;
}

/** Says which rules refuse a stay, offers what they take, and to take it all the same. */
export const BrokenRules = ({ broken, isOverridden, onOverride, onChoose }: BrokenRulesProps) => (
  <>
    <div role="alert">
      <p>{say('rulesRefuse')}</p>
      <ul>
        {broken.reasons.map((reason) => (
          <li key={reason.rule + reason.date}>{sayRule(reason)}</li>
        ))}
      </ul>
    </div>
    {!isOverridden && <FreeInstead stays={broken.nearest} onChoose={onChoose} />}
    <Tick label={say('override')} isTicked={isOverridden} onTick={onOverride} />
  </>
);

const sayRule = ({ rule, date, allowed }: BrokenRule): string =>
  say(`rule_${rule}`, { date: sayDate(date), count: Number(allowed) });
