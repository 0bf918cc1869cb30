import { useEffect, useState } from 'preact/hooks';
import { type Hold, leftOf } from './hold.ts';
import { say } from './words/index.ts';

/** The minutes left at which a screen reader says them. */
const said = [10, 5, 2, 1];

/** Counts down to the end of a hold. */
export const HoldClock = ({ hold, onOver }: { hold: Hold; onOver: () => void }) => {
  const [left, setLeft] = useState(leftOf(hold));
  useEffect(() => {
    const tick = (): void => {
      setLeft(leftOf(hold));
      if (leftOf(hold) <= 0) onOver();
    };
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [hold]);
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const minutes = Math.ceil(seconds / 60);
  const announced = said.filter((one) => minutes <= one).at(-1);
  return (
    <>
      <p class="hold-clock">
        {say('held')}{' '}
        <b role="timer" class="amount">
          {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
        </b>
      </p>
      <p class="unseen" role="status">
        {announced === undefined ? '' : say('heldSoon', { count: announced })}
      </p>
    </>
  );
};
