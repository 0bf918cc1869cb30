import type { Draft, Fields } from '../data/drafts.ts';
import { Tick } from '../parts/tick.tsx';
import { say } from '../words/index.ts';
import { Input } from './input.tsx';

const flags = ['closed_to_arrival', 'closed_to_departure', 'closed'] as const;

/** Which stays the nights take; without any of it, what binds them beside the usual rules of the home is removed. */
export const Limits = ({ fields, draft }: { fields: Fields; draft: Draft }) => (
  <>
    <Input name="min_nights" type="number" min={1} isOptional {...{ fields, draft }} />
    {flags.map((name) => (
      <Tick
        key={name}
        label={say(`nights_${name}`)}
        isTicked={fields[name] === 'yes'}
        onTick={(isTicked) => draft.change(name, isTicked ? 'yes' : '')}
      />
    ))}
    {!fields['min_nights'] && flags.every((name) => fields[name] !== 'yes') && (
      <p class="quiet">{say('limitsHint')}</p>
    )}
  </>
);
