import type { Draft } from '../data/drafts.ts';
import { say, sayInstant } from '../words/index.ts';

/** Of what was sent without an answer: the same again is not done twice, another one is. */
export const Unsure = ({ draft: { unsureSince, discard } }: { draft: Draft }) =>
  unsureSince === undefined ? null : (
    <div class="warning">
      <p>{say('unsureSince', { time: sayInstant(unsureSince) })}</p>
      <button type="button" onClick={discard}>
        {say('anew')}
      </button>
    </div>
  );
