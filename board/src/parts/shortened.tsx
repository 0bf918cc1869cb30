import { type ComponentChildren, toChildArray } from 'preact';
import { useState } from 'preact/hooks';
import { say } from '../words/index.ts';

const most = 20;

/** A list of which the first ones are shown, and all where they are asked for. */
export const Shortened = ({ children }: { children: ComponentChildren }) => {
  const [isWhole, setWhole] = useState(false);
  const items = toChildArray(children);
  return (
    <>
      <ul>{isWhole ? items : items.slice(0, most)}</ul>
      {items.length > most && (
        <button type="button" class="more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? say('showFewer') : say('showAll', { count: items.length })}
        </button>
      )}
    </>
  );
};
